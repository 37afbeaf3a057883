import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.elasticsearch.common.logging.LogConfigurator;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.env.Environment;
import org.elasticsearch.node.Node;
import org.elasticsearch.plugins.PluginsLoader;

/** One Elasticsearch node for tests: as `TestNode` of OpenSearch, with the same arguments. */
public class TestNode {
  public static void main(final String[] arguments) throws Exception {
    final Path folder = Path.of(arguments[0]);
    final Settings.Builder settings =
        Settings.builder()
            .put("path.home", System.getProperty("es.path.home"))
            .put("path.data", folder.resolve("data").toString())
            .put("path.logs", folder.resolve("logs").toString())
            .put("cluster.name", "breakwater-test")
            .put("node.name", "node")
            .put("discovery.type", "single-node")
            .put("xpack.security.enabled", false)
            .put("network.host", "127.0.0.1")
            .put("http.port", arguments[1])
            .put("transport.port", "0");
    for (int index = 2; index < arguments.length; index++) {
      final int at = arguments[index].indexOf('=');
      settings.put(arguments[index].substring(0, at), arguments[index].substring(at + 1));
    }
    final Path config = Files.createDirectories(folder.resolve("config"));
    LogConfigurator.registerErrorListener();
    LogConfigurator.configureESLogging();
    LogConfigurator.configureWithoutConfig(Settings.EMPTY);
    final Environment environment = new Environment(settings.build(), config);
    final Set<org.elasticsearch.plugins.PluginBundle> modules = PluginsLoader.loadModulesBundles(environment.modulesDir());
    final Node node = new Node(environment, PluginsLoader.createPluginsLoader(modules, Set.of(), Map.of()));
    node.start();
    System.out.println("listening");
    while (System.in.read() != -1) continue;
    node.close();
    System.exit(0);
  }
}
