package dev.orrery.junit5;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Starts a cluster before the tests of a class, and stops it after them; as a field that is not static, around each test. By the
 * annotation {@link OrreryCluster}, or by a field with {@code @RegisterExtension}.
 */
public final class OrreryExtension
    implements BeforeAllCallback, AfterAllCallback, BeforeEachCallback, AfterEachCallback, ParameterResolver {
  private static final int LOG_LINES = 40;

  /** Options of the builder; null: those of the annotation. */
  private final Builder options;

  private RunningCluster cluster;
  private boolean isOfClass;
  private int logsBefore;

  /** For the annotation. */
  public OrreryExtension() {
    this(null);
  }

  private OrreryExtension(Builder options) {
    this.options = options;
  }

  public static Builder builder() {
    return new Builder();
  }

  /** The cluster, from the first of the tests to the last. */
  public RunningCluster cluster() {
    if (cluster == null) throw new IllegalStateException("the cluster runs only during tests");
    return cluster;
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    // Nested classes share the cluster of the class around them.
    if (cluster != null) return;
    isOfClass = true;
    start(context);
    context
        .getStore(Namespace.create(OrreryExtension.class, this))
        .put("cluster", (ExtensionContext.Store.CloseableResource) this::stop);
  }

  @Override
  public void afterAll(ExtensionContext context) {
    // The store of the outermost class stops the cluster.
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    if (cluster == null) start(context);
    logsBefore = cluster.logs().size();
  }

  @Override
  public void afterEach(ExtensionContext context) {
    if (context.getExecutionException().isPresent()) report(context.getDisplayName());
    if (!isOfClass) stop();
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == RunningCluster.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return cluster();
  }

  private void start(ExtensionContext context) {
    cluster = RunningCluster.start(options == null ? annotated(context) : options);
  }

  private void stop() {
    if (cluster != null) cluster.close();
    cluster = null;
  }

  private void report(String test) {
    var logs = cluster.logs();
    var since = logs.subList(Math.min(logsBefore, logs.size()), logs.size());
    if (since.isEmpty()) return;
    System.err.println("orrery at " + cluster.url() + ", during " + test + ":");
    since.stream().skip(Math.max(0, since.size() - LOG_LINES)).forEach(line -> System.err.println("  " + line));
  }

  private static Builder annotated(ExtensionContext context) {
    for (Class<?> type = context.getRequiredTestClass(); type != null; type = type.getEnclosingClass()) {
      var given = type.getAnnotation(OrreryCluster.class);
      if (given == null) continue;
      var options = builder().nodes(given.nodes()).transport(given.transport());
      for (var setting : given.settings()) {
        var parts = setting.split("=", 2);
        if (parts.length < 2) throw new IllegalArgumentException("expected key=value, not [" + setting + "]");
        options.setting(parts[0], parts[1]);
      }
      return given.command().isEmpty() ? options : options.command(given.command());
    }
    return builder();
  }

  /** Options of a cluster. */
  public static final class Builder {
    int nodes = 3;
    String transport = "memory";
    String command = "";
    final Map<String, String> settings = new LinkedHashMap<>();

    private Builder() {}

    public Builder nodes(int nodes) {
      this.nodes = nodes;
      return this;
    }

    public Builder transport(String transport) {
      this.transport = transport;
      return this;
    }

    public Builder setting(String key, String value) {
      settings.put(key, value);
      return this;
    }

    public Builder command(String command) {
      this.command = command;
      return this;
    }

    public OrreryExtension build() {
      return new OrreryExtension(this);
    }
  }
}
