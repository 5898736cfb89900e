package streamglass.oracle;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.ExplainDetail;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;

/**
 * Records for many statements whether Flink takes them, all in one JVM: `statements SETUP FILE`.
 *
 * <p>FILE has a statement a line, tab-separated: the statement (line breaks as \n), then what was recorded: `ok`, or
 * the message. Each statement runs in a session of its own, behind the statements of SETUP. Queries and INSERTs are
 * planned and translated, but not run.
 */
final class Statements {
    static int run(Path setup, Path file) throws Exception {
        List<String> prepare = Main.statements(Files.readString(setup));
        List<String> out = new ArrayList<>();
        int refused = 0;
        for (String line : Files.readString(file).lines().toList()) {
            if (line.isBlank() || line.startsWith("#")) {
                out.add(line);
                continue;
            }
            String text = line.split("\t", 2)[0];
            String said = verdict(prepare, text.replace("\\n", "\n"));
            refused += said.equals("ok") ? 0 : 1;
            out.add(text + "\t" + said.replace("\n", "\\n").replace("\t", "\\t"));
        }
        Files.writeString(file, String.join("\n", out) + "\n");
        return refused;
    }

    private static String verdict(List<String> prepare, String text) {
        try {
            Configuration conf = new Configuration();
            conf.setString("table.local-time-zone", "UTC");
            StreamTableEnvironment t =
                    StreamTableEnvironment.create(StreamExecutionEnvironment.getExecutionEnvironment(conf));
            for (String s : prepare) {
                t.executeSql(s);
            }
            String upper = text.strip().toUpperCase();
            boolean planned = upper.startsWith("SELECT") || upper.startsWith("WITH") || upper.startsWith("VALUES")
                    || upper.startsWith("TABLE") || upper.startsWith("INSERT") || upper.startsWith("(");
            if (planned) {
                // this detail translates the plan too: what only code generation refuses is refused here
                t.explainSql(text, ExplainDetail.JSON_EXECUTION_PLAN);
            } else {
                t.executeSql(text);
            }
            return "ok";
        } catch (Throwable e) {
            return Main.essence(e);
        }
    }

    private Statements() {}
}
