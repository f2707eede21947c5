import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.opensearch.client.opensearch._types.OpenSearchException;
import org.opensearch.client.transport.httpclient5.ResponseException;

/** Checks that are printed as TAP. */
final class Tap {
    interface Body {
        void run() throws Exception;
    }

    private record Check(String name, Body body) {}

    private final List<Check> checks = new ArrayList<>();

    void check(String name, Body body) {
        checks.add(new Check(name, body));
    }

    int run() {
        int failed = 0;
        System.out.println("1.." + checks.size());
        for (int i = 0; i < checks.size(); i++) {
            String about = (i + 1) + " - " + checks.get(i).name();
            try {
                checks.get(i).body().run();
                System.out.println("ok " + about);
            } catch (Throwable error) {
                failed++;
                System.out.println("not ok " + about);
                for (Throwable cause = error; cause != null; cause = cause.getCause())
                    System.out.println("  # " + String.valueOf(cause).replace("\n", "\n  # "));
                for (StackTraceElement frame : error.getStackTrace())
                    if (frame.getClassName().startsWith("Main")) System.out.println("  # at " + frame);
            }
        }
        return failed == 0 ? 0 : 1;
    }

    static void same(Object actual, Object expected) {
        if (!Objects.equals(actual, expected)) throw new AssertionError(actual + ", not " + expected);
    }

    static void holds(boolean claim, Object about) {
        if (!claim) throw new AssertionError(String.valueOf(about));
    }

    /** Fails with this status and type: as the client's exception, or as its transport's for statuses that it does not decode. */
    static void fails(int status, String type, Body body) throws Exception {
        try {
            body.run();
        } catch (OpenSearchException error) {
            same(error.status(), status);
            same(error.error().type(), type);
            return;
        } catch (IOException error) {
            Throwable cause = error;
            while (cause != null && !(cause instanceof ResponseException)) cause = cause.getCause();
            if (cause == null) throw error;
            same(((ResponseException) cause).status(), status);
            holds(cause.getMessage().contains("\"type\":\"" + type + "\""), cause.getMessage());
            return;
        }
        throw new AssertionError("no " + type);
    }
}
