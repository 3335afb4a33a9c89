import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The Pet Store Inventory API on Java's own HTTP server alone: {@code java Provider.java} (17 or later). */
public final class Provider {
    record Item(long petId, BigInteger quantity, String status) {
        String toJson() {
            return "{\"petId\":" + petId + ",\"quantity\":" + quantity + ",\"status\":\"" + status + "\"}";
        }
    }

    /** A request that is refused: the status of the response and why. */
    static final class Refused extends Exception {
        final int status;

        Refused(int status, String message) {
            super(message, null, false, false);
            this.status = status;
        }
    }

    private static final int LARGEST_BODY = 1 << 20;
    private static final int MOST_DIGITS = 1000;
    private static final Pattern BEARER = Pattern.compile("bearer +([\\x21-\\x7e]+)", Pattern.CASE_INSENSITIVE);
    private static final Pattern PET_ID = Pattern.compile("0|-?[1-9][0-9]{0,18}");

    private final byte[] apiKey;
    private final Map<Long, Item> inventory = new LinkedHashMap<>();

    Provider(String apiKey) {
        this.apiKey = apiKey.getBytes(StandardCharsets.UTF_8);
        put(new Item(1, BigInteger.valueOf(12), "available"));
        put(new Item(2, BigInteger.ZERO, "sold"));
        put(new Item(3, BigInteger.valueOf(4), "pending"));
        put(new Item(9007199254740993L, BigInteger.valueOf(7), "available"));
    }

    public static void main(String[] arguments) throws IOException {
        // Without it every response waits for an acknowledgement.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "8082"));
        Provider provider = new Provider(System.getenv().getOrDefault("API_KEY", "demo-key"));
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 128);
        server.createContext("/", provider::handle);
        server.setExecutor(Executors.newCachedThreadPool());
        server.start();
        System.out.println("listening on http://127.0.0.1:" + server.getAddress().getPort() + "/v1");
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            try {
                byte[] body = exchange.getRequestBody().readNBytes(LARGEST_BODY + 1);
                send(exchange, 200, answer(exchange, body));
            } catch (Refused refused) {
                sendError(exchange, refused.status, refused.getMessage());
            } catch (RuntimeException bug) {
                bug.printStackTrace();
                sendError(exchange, 500, "something went wrong");
            }
        }
    }

    private String answer(HttpExchange exchange, byte[] body) throws Refused {
        String method = exchange.getRequestMethod();
        String path = exchange.getRequestURI().getRawPath();
        if (method.equals("POST") && path.equals("/provider-states")) return setState(Json.parse(body));
        authorize(exchange);
        if (body.length > LARGEST_BODY) throw new Refused(413, "the body is too large");
        if (method.equals("GET") && path.equals("/v1/inventory")) return list();
        String prefix = "/v1/inventory/";
        if (method.equals("PATCH") && path.startsWith(prefix) && path.indexOf('/', prefix.length()) < 0) {
            if (body.length > 0) expectJson(exchange);
            BigInteger quantity = readQuantity(Json.parse(body));
            return update(readPetId(path.substring(prefix.length())), quantity);
        }
        throw new Refused(404, "there is nothing here");
    }

    private void authorize(HttpExchange exchange) throws Refused {
        List<String> lines = exchange.getRequestHeaders().getOrDefault("Authorization", List.of());
        var credentials = BEARER.matcher(lines.size() == 1 ? lines.get(0) : "");
        byte[] token = (credentials.matches() ? credentials.group(1) : "").getBytes(StandardCharsets.UTF_8);
        if (MessageDigest.isEqual(token, apiKey)) return;
        exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer");
        throw new Refused(401, "the API key is missing or not valid");
    }

    private static void expectJson(HttpExchange exchange) throws Refused {
        String contentType = exchange.getRequestHeaders().getFirst("Content-Type");
        String mediaType = contentType == null ? "" : contentType.split(";", 2)[0].trim();
        if (!mediaType.equalsIgnoreCase("application/json")) {
            throw new Refused(400, "expected Content-Type: application/json");
        }
    }

    private static long readPetId(String segment) throws Refused {
        if (PET_ID.matcher(segment).matches()) {
            try {
                return Long.parseLong(segment);
            } catch (NumberFormatException beyond64Bits) {
                // No pet has such an id.
            }
        }
        throw new Refused(404, "there is no such pet");
    }

    private static BigInteger readQuantity(Object body) throws Refused {
        Object quantity = body instanceof Map<?, ?> update ? update.get("quantity") : null;
        if (quantity instanceof BigDecimal number) return toInteger(number);
        throw new Refused(400, "expected a body such as {\"quantity\": 5}");
    }

    /** By value: 5.0 and 1e2 are integers. The bound keeps 1e999999999 from filling the memory. */
    private static BigInteger toInteger(BigDecimal number) throws Refused {
        BigDecimal plain = number.stripTrailingZeros();
        if (plain.scale() > 0) throw new Refused(400, "quantity must be an integer");
        if ((long) plain.precision() - plain.scale() > MOST_DIGITS) throw new Refused(400, "quantity is too long");
        return plain.toBigIntegerExact();
    }

    private synchronized String list() {
        return inventory.values().stream().map(Item::toJson).collect(Collectors.joining(",", "[", "]"));
    }

    private synchronized String update(long petId, BigInteger quantity) throws Refused {
        Item item = inventory.get(petId);
        if (item == null) throw new Refused(404, "there is no such pet");
        Item updated = new Item(petId, quantity, item.status());
        put(updated);
        return updated.toJson();
    }

    private synchronized void put(Item item) {
        inventory.put(item.petId(), item);
    }

    /** What a test asks for: this belongs into no production build. */
    private synchronized String setState(Object body) throws Refused {
        Map<?, ?> change = (Map<?, ?>) body;
        if ("teardown".equals(change.get("action"))) return "{}";
        String state = String.valueOf(change.get("state"));
        switch (state) {
            case "the inventory has the items" -> {
                for (Object each : (List<?>) ((Map<?, ?>) change.get("params")).get("items")) {
                    Map<?, ?> item = (Map<?, ?>) each;
                    BigDecimal petId = (BigDecimal) item.get("petId");
                    put(new Item(petId.longValueExact(), readQuantity(item), (String) item.get("status")));
                }
            }
            case "the inventory has no pet" -> {
                BigDecimal petId = (BigDecimal) ((Map<?, ?>) change.get("params")).get("petId");
                inventory.remove(petId.longValueExact());
            }
            case "the inventory is empty" -> inventory.clear();
            default -> throw new Refused(404, "there is no provider state " + Json.quote(state));
        }
        return "{}";
    }

    private static void sendError(HttpExchange exchange, int status, String message) throws IOException {
        String code = switch (status) {
            case 400 -> "invalid_request";
            case 401 -> "unauthorized";
            case 404 -> "not_found";
            default -> "error";
        };
        String error = "{\"code\":\"" + code + "\",\"message\":" + Json.quote(message) + ",\"status\":" + status + "}";
        send(exchange, status, error);
    }

    private static void send(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    /** JSON as RFC 8259 has it, and nothing else. Numbers become {@link BigDecimal}: no digit is lost. */
    static final class Json {
        private static final int DEEPEST = 100;
        private static final Pattern NUMBER =
                Pattern.compile("-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?");

        private final String text;
        private int at = 0;

        private Json(String text) {
            this.text = text;
        }

        static Object parse(byte[] bytes) throws Refused {
            String text;
            try {
                text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            } catch (CharacterCodingException notUtf8) {
                throw new Refused(400, "the body is not JSON: it is not UTF-8");
            }
            Json json = new Json(text);
            Object value = json.value(0);
            json.skipSpace();
            if (json.at < text.length()) throw json.unexpected();
            return value;
        }

        static String quote(String text) {
            StringBuilder quoted = new StringBuilder("\"");
            for (char letter : text.toCharArray()) {
                if (letter == '"' || letter == '\\') quoted.append('\\').append(letter);
                else if (letter < ' ') quoted.append(String.format("\\u%04x", (int) letter));
                else quoted.append(letter);
            }
            return quoted.append('"').toString();
        }

        private Object value(int depth) throws Refused {
            if (depth > DEEPEST) throw new Refused(400, "the body is not JSON: it is nested too deeply");
            skipSpace();
            return switch (peek()) {
                case '{' -> object(depth);
                case '[' -> array(depth);
                case '"' -> string();
                case 't' -> word("true", Boolean.TRUE);
                case 'f' -> word("false", Boolean.FALSE);
                case 'n' -> word("null", null);
                default -> number();
            };
        }

        private Map<String, Object> object(int depth) throws Refused {
            Map<String, Object> members = new LinkedHashMap<>();
            expect('{');
            skipSpace();
            if (skip('}')) return members;
            do {
                skipSpace();
                String name = string();
                skipSpace();
                expect(':');
                members.put(name, value(depth + 1));
                skipSpace();
            } while (skip(','));
            expect('}');
            return members;
        }

        private List<Object> array(int depth) throws Refused {
            List<Object> elements = new ArrayList<>();
            expect('[');
            skipSpace();
            if (skip(']')) return elements;
            do {
                elements.add(value(depth + 1));
                skipSpace();
            } while (skip(','));
            expect(']');
            return elements;
        }

        private String string() throws Refused {
            StringBuilder letters = new StringBuilder();
            expect('"');
            while (!skip('"')) {
                char letter = peek();
                if (letter < ' ') throw unexpected();
                at += 1;
                letters.append(letter == '\\' ? escaped() : letter);
            }
            return letters.toString();
        }

        private char escaped() throws Refused {
            char letter = peek();
            at += 1;
            switch (letter) {
                case '"', '\\', '/':
                    return letter;
                case 'b':
                    return '\b';
                case 'f':
                    return '\f';
                case 'n':
                    return '\n';
                case 'r':
                    return '\r';
                case 't':
                    return '\t';
                case 'u':
                    break;
                default:
                    at -= 1;
                    throw unexpected();
            }
            int code = 0;
            for (int digit = 0; digit < 4; digit += 1) {
                int value = peek() < 128 ? Character.digit(peek(), 16) : -1;
                if (value < 0) throw unexpected();
                code = code * 16 + value;
                at += 1;
            }
            return (char) code;
        }

        private BigDecimal number() throws Refused {
            var number = NUMBER.matcher(text).region(at, text.length());
            if (!number.lookingAt()) throw unexpected();
            at = number.end();
            try {
                return new BigDecimal(number.group());
            } catch (NumberFormatException exponentTooLarge) {
                throw new Refused(400, "a number in the body is too long");
            }
        }

        private Object word(String word, Object value) throws Refused {
            if (!text.startsWith(word, at)) throw unexpected();
            at += word.length();
            return value;
        }

        private void skipSpace() {
            while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at += 1;
        }

        private boolean skip(char letter) throws Refused {
            if (peek() != letter) return false;
            at += 1;
            return true;
        }

        private void expect(char letter) throws Refused {
            if (!skip(letter)) throw unexpected();
        }

        private char peek() throws Refused {
            if (at >= text.length()) throw new Refused(400, "the body is not JSON: it ends too soon");
            return text.charAt(at);
        }

        private Refused unexpected() {
            return new Refused(400, "the body is not JSON: unexpected character at position " + at);
        }
    }
}
