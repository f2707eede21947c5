import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.opensearch.testcontainers.OpenSearchContainer;
import org.testcontainers.utility.DockerImageName;

/** The official module for Java against the image that the argument names. */
public class Run {
    public static void main(String[] args) throws Exception {
        var image = DockerImageName.parse(args[0]).asCompatibleSubstituteFor("opensearchproject/opensearch");
        try (var container = new OpenSearchContainer<>(image)) {
            container.start();
            var client = HttpClient.newHttpClient();
            var document = HttpRequest.newBuilder(URI.create(container.getHttpHostAddress() + "/books/_doc/1?refresh=true"))
                    .header("content-type", "application/json")
                    .PUT(HttpRequest.BodyPublishers.ofString("{\"title\":\"Orrery\"}"))
                    .build();
            expect(client.send(document, HttpResponse.BodyHandlers.ofString()).statusCode() == 201, "no document was made");
            var search = HttpRequest.newBuilder(URI.create(container.getHttpHostAddress() + "/books/_search?q=title:orrery")).build();
            var found = client.send(search, HttpResponse.BodyHandlers.ofString()).body();
            expect(found.contains("\"total\":{\"value\":1,"), found);
        }
    }

    private static void expect(boolean claim, String otherwise) {
        if (!claim) throw new IllegalStateException(otherwise);
    }
}
