package dev.orrery.junit5;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.ProxySelector;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** A cluster of {@code orrery up}. */
public final class RunningCluster implements AutoCloseable {
  private static final int START_SECONDS = 60;
  private static final int STOP_SECONDS = 15;
  private static final Pattern HTTP = Pattern.compile("\"http\":\"([^\"]+)\"");
  private static final boolean IS_WINDOWS = File.separatorChar == '\\';

  private final Process process;
  private final List<String> logs = new CopyOnWriteArrayList<>();
  private final List<String> urls;
  private final Thread ender = new Thread(this::end);

  static RunningCluster start(OrreryExtension.Builder options) {
    var arguments = new ArrayList<>(List.of(command(options.command), "up", "--json", "--http-port", "0"));
    arguments.addAll(List.of("--nodes", String.valueOf(options.nodes), "--transport", options.transport));
    options.settings.forEach((key, value) -> arguments.addAll(List.of("-E", key + "=" + value)));
    try {
      return new RunningCluster(new ProcessBuilder(arguments).start());
    } catch (IOException error) {
      throw new UncheckedIOException("the orrery command cannot be started", error);
    }
  }

  private RunningCluster(Process process) {
    this.process = process;
    // The command would outlive a virtual machine that is stopped in the middle of a test.
    Runtime.getRuntime().addShutdownHook(ender);
    var ready = new CompletableFuture<String>();
    read(process.getErrorStream(), logs::add, () -> {});
    read(
        process.getInputStream(),
        line -> {
          if (line.contains("\"event\":\"ready\"")) ready.complete(line);
        },
        () -> ready.completeExceptionally(new IllegalStateException("ended before")));
    try {
      urls = HTTP.matcher(ready.get(START_SECONDS, TimeUnit.SECONDS)).results().map(found -> found.group(1)).collect(
          java.util.stream.Collectors.toUnmodifiableList());
    } catch (ExecutionException | TimeoutException error) {
      close();
      throw new IllegalStateException("the cluster was not ready:\n" + String.join("\n", logs));
    } catch (InterruptedException error) {
      close();
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the cluster started", error);
    }
  }

  /** URLs of the nodes, in the order of their numbers. */
  public List<String> urls() {
    return urls;
  }

  /** URL of the first node. */
  public String url() {
    return urls.get(0);
  }

  /** Lines that the nodes have logged. */
  public List<String> logs() {
    return List.copyOf(logs);
  }

  /** Deletes all indices, data streams and templates. */
  public void deleteEverything() {
    // A proxy of the environment is for other hosts.
    var client = HttpClient.newBuilder().proxy(ProxySelector.of((InetSocketAddress) null)).build();
    for (var path :
        List.of(
            "/_data_stream/*",
            "/*?expand_wildcards=all&ignore_unavailable=true",
            "/_index_template/*",
            "/_component_template/*",
            "/_template/*")) {
      var request = HttpRequest.newBuilder(URI.create(url() + path)).timeout(Duration.ofSeconds(30)).DELETE().build();
      try {
        var answer = client.send(request, HttpResponse.BodyHandlers.ofString());
        // There may be none.
        if (answer.statusCode() >= 400 && answer.statusCode() != 404)
          throw new IllegalStateException("DELETE " + path + ": " + answer.body());
      } catch (IOException error) {
        throw new UncheckedIOException(error);
      } catch (InterruptedException error) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(error);
      }
    }
  }

  /** Stops the cluster; does nothing if it has ended. */
  @Override
  public void close() {
    end();
    try {
      Runtime.getRuntime().removeShutdownHook(ender);
    } catch (IllegalStateException error) {
      // The virtual machine is ending, and the hook runs.
    }
  }

  private void end() {
    process.destroy();
    try {
      if (process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) return;
      process.destroyForcibly().waitFor();
    } catch (InterruptedException error) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  private static void read(InputStream stream, Consumer<String> onLine, Runnable onEnd) {
    var reader =
        new Thread(
            () -> {
              try (var lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                lines.lines().forEach(onLine);
              } catch (IOException | UncheckedIOException error) {
                // The process has ended.
              } finally {
                onEnd.run();
              }
            });
    reader.setDaemon(true);
    reader.start();
  }

  private static String command(String given) {
    for (var named : new String[] {given, System.getProperty("orrery.command"), System.getenv("ORRERY_COMMAND")})
      if (named != null && !named.isEmpty()) return named;
    var name = IS_WINDOWS ? "orrery.cmd" : "orrery";
    for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
      var command = folder.resolve("node_modules").resolve(".bin").resolve(name);
      if (Files.exists(command)) return command.toString();
    }
    var path = System.getenv("PATH");
    for (var folder : (path == null ? "" : path).split(File.pathSeparator))
      if (!folder.isEmpty() && Files.isExecutable(Path.of(folder, name))) return Path.of(folder, name).toString();
    throw new IllegalStateException(
        "there is no orrery command: [npm install --save-dev @orrery/cli] installs it, and ORRERY_COMMAND names another one");
  }
}
