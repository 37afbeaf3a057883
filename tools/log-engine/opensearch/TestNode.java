import java.util.ArrayList;
import java.util.List;
import org.codelibs.opensearch.runner.OpenSearchRunner;

/**
 * One OpenSearch node for tests, on 127.0.0.1: `TestNode FOLDER PORT [NAME=VALUE …]`. Prints `listening` once it answers, and ends
 * with its standard input, so that it never outlives who started it.
 */
public class TestNode {
  public static void main(final String[] arguments) throws Exception {
    final String folder = arguments[0];
    final String port = arguments[1];
    final OpenSearchRunner runner = new OpenSearchRunner();
    final List<String> extra = new ArrayList<>();
    for (int index = 2; index < arguments.length; index++) extra.add(arguments[index]);
    runner.onBuild((number, settings) -> {
      settings.put("http.port", port);
      settings.put("transport.port", "0");
      settings.put("network.host", "127.0.0.1");
      for (final String each : extra) {
        final int at = each.indexOf('=');
        settings.put(each.substring(0, at), each.substring(at + 1));
      }
    });
    runner.build(OpenSearchRunner.newConfigs().basePath(folder).clusterName("breakwater-test").numOfNode(1).useLogger());
    System.out.println("listening");
    while (System.in.read() != -1) continue;
    runner.close();
    System.exit(0);
  }
}
