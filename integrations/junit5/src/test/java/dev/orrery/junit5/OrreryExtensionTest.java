package dev.orrery.junit5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.HashSet;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;

class OrreryExtensionTest {
  static String ask(String method, String url, String body) throws IOException, InterruptedException {
    var publisher = HttpRequest.BodyPublishers.ofString(body);
    var request =
        HttpRequest.newBuilder(URI.create(url)).method(method, publisher).header("content-type", "application/json");
    return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString()).body();
  }

  @Nested
  @OrreryCluster(nodes = 2, settings = "cluster.name=annotated")
  @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
  class Annotated {
    @Test
    @Order(1)
    void theClusterIsThatOfTheAnnotation(RunningCluster cluster) throws Exception {
      assertEquals(2, new HashSet<>(cluster.urls()).size());
      for (var url : cluster.urls()) assertTrue(ask("GET", url, "").contains("\"annotated\""), url);
      ask("PUT", cluster.url() + "/books/_doc/1", "{\"title\":\"Emma\"}");
    }

    @Test
    @Order(2)
    void theNextTestHasTheSameCluster(RunningCluster cluster) throws Exception {
      assertTrue(ask("GET", cluster.url() + "/books/_doc/1", "").contains("Emma"));
      cluster.deleteEverything();
      assertEquals("[]", ask("GET", cluster.url() + "/_cat/indices?format=json", ""));
    }

    @Nested
    class Inside {
      @Test
      void aNestedClassSharesTheCluster(RunningCluster cluster) throws Exception {
        assertTrue(ask("GET", cluster.url(), "").contains("\"annotated\""));
      }
    }
  }

  @Nested
  class Registered {
    @RegisterExtension OrreryExtension orrery = OrreryExtension.builder().nodes(1).build();

    @Test
    void theFieldHasTheCluster(RunningCluster cluster) throws Exception {
      assertSame(cluster, orrery.cluster());
      assertTrue(ask("GET", cluster.url() + "/_cluster/health", "").contains("\"number_of_nodes\":1"));
      assertTrue(cluster.logs().stream().anyMatch(line -> line.contains("setting initial configuration")));
    }
  }

  @Test
  void aStartThatFailsSaysWhy() {
    var options = OrreryExtension.builder().nodes(1).setting("no.such", "1");
    var error = assertThrows(IllegalStateException.class, () -> RunningCluster.start(options));
    assertTrue(error.getMessage().contains("unknown setting [no.such]"), error.getMessage());
  }

  @Test
  void aClosedClusterAnswersNoMore() {
    var cluster = RunningCluster.start(OrreryExtension.builder().nodes(1));
    cluster.close();
    cluster.close();
    assertThrows(IOException.class, () -> ask("GET", cluster.url(), ""));
  }
}
