"""The Pet Store Inventory API on Python's standard library alone (Python 3.9 or later)."""

import hmac
import json
import os
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote_to_bytes, urlsplit

API_KEY = os.environ.get("API_KEY", "demo-key")
PORT = int(os.environ.get("PORT", "8081"))

STATUSES = ("available", "pending", "sold")
INVENTORY = {
    1: {"petId": 1, "quantity": 12, "status": "available"},
    2: {"petId": 2, "quantity": 0, "status": "sold"},
    3: {"petId": 3, "quantity": 4, "status": "pending"},
    9007199254740993: {"petId": 9007199254740993, "quantity": 7, "status": "available"},
}
LOCK = threading.Lock()

CODES = {400: "invalid_request", 401: "unauthorized", 404: "not_found"}
LARGEST_BODY = 1 << 20


class Refused(Exception):
    def __init__(self, status, message):
        super().__init__(message)
        self.status = status
        self.message = message


def refuse_constant(name):
    # json.loads knows NaN and Infinity, which are not JSON.
    raise ValueError(name + " is not JSON")


def parse_json(body):
    # Python's integers are exact whatever their size; other numbers become floats.
    try:
        return json.loads(body.decode("utf-8"), parse_constant=refuse_constant)
    except (ValueError, RecursionError):
        raise Refused(400, "the body is not JSON") from None


def is_integer(value):
    # In Python, True is an integer too.
    return isinstance(value, int) and not isinstance(value, bool)


def read_quantity(body):
    update = parse_json(body)
    if not isinstance(update, dict) or not is_integer(update.get("quantity")):
        raise Refused(400, 'expected a body such as {"quantity": 5}, with an integer')
    return update["quantity"]


def read_pet_id(segment):
    text = unquote_to_bytes(segment).decode("utf-8", "replace")
    if not re.fullmatch(r"0|-?[1-9][0-9]{0,18}", text):
        raise Refused(404, "there is no such pet")
    return int(text)


def list_inventory():
    with LOCK:
        return list(INVENTORY.values())


def update_inventory(pet_id, quantity):
    with LOCK:
        item = INVENTORY.get(pet_id)
        if item is None:
            raise Refused(404, "there is no such pet")
        INVENTORY[pet_id] = {**item, "quantity": quantity}
        return INVENTORY[pet_id]


def set_state(body):
    """What a test asks for: this belongs into no production build."""
    change = parse_json(body)
    if change.get("action") == "teardown":
        return {}
    state, params = change.get("state"), change.get("params", {})
    with LOCK:
        if state == "the inventory has the items":
            INVENTORY.update({item["petId"]: item for item in params["items"]})
        elif state == "the inventory has no pet":
            INVENTORY.pop(params["petId"], None)
        elif state == "the inventory is empty":
            INVENTORY.clear()
        else:
            raise Refused(404, "there is no provider state " + json.dumps(state))
    return {}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Headers and body in one packet, sent at once.
    wbufsize = 1 << 16
    disable_nagle_algorithm = True

    def do_GET(self):
        self.answer("GET")

    def do_PATCH(self):
        self.answer("PATCH")

    def do_POST(self):
        self.answer("POST")

    def answer(self, method):
        try:
            # Read whatever comes of it: the next request on the connection begins behind it.
            body = self.read_body()
            self.send_json(200, self.route(method, urlsplit(self.path).path, body))
        except Refused as refused:
            self.send_refusal(refused.status, refused.message)

    def route(self, method, path, body):
        if (method, path) == ("POST", "/provider-states"):
            return set_state(body)
        self.authorize()
        if (method, path) == ("GET", "/v1/inventory"):
            return list_inventory()
        found = re.fullmatch("/v1/inventory/([^/]+)", path)
        if method == "PATCH" and found:
            self.expect_json(body)
            quantity = read_quantity(body)
            return update_inventory(read_pet_id(found.group(1)), quantity)
        raise Refused(404, "there is nothing here")

    def authorize(self):
        lines = self.headers.get_all("Authorization", [])
        found = re.fullmatch(r"bearer +([\x21-\x7e]+)", lines[0], re.IGNORECASE) if len(lines) == 1 else None
        token = found.group(1) if found else ""
        if not hmac.compare_digest(token.encode(), API_KEY.encode()):
            raise Refused(401, "the API key is missing or not valid")

    def expect_json(self, body):
        if body and self.headers.get_content_type() != "application/json":
            raise Refused(415, "expected Content-Type: application/json")

    def read_body(self):
        if "chunked" in self.headers.get("Transfer-Encoding", "").lower():
            return self.read_chunks()
        return self.read_bytes(int(self.headers.get("Content-Length", "0")))

    def read_chunks(self):
        body = b""
        while True:
            size = int(self.rfile.readline().split(b";")[0], 16)
            if size == 0:
                break
            body += self.read_bytes(size)
            self.expect_length(len(body))
            self.rfile.readline()
        # Trailers, and the empty line behind them.
        while self.rfile.readline().strip():
            pass
        return body

    def read_bytes(self, length):
        self.expect_length(length)
        return self.rfile.read(length)

    def expect_length(self, length):
        if length > LARGEST_BODY:
            self.close_connection = True
            raise Refused(413, "the body is too large")

    def send_refusal(self, status, message):
        error = {"code": CODES.get(status, "error"), "message": message, "status": status}
        self.send_json(status, error)

    def send_json(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        if status == 401:
            self.send_header("WWW-Authenticate", "Bearer")
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()

    def send_error(self, code, message=None, explain=None):
        # What the library refuses by itself: an error body instead of its HTML page.
        self.close_connection = True
        self.send_refusal(int(code), message or "the request was refused")

    def log_message(self, format, *args):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


if __name__ == "__main__":
    server = Server(("127.0.0.1", PORT), Handler)
    print(f"listening on http://127.0.0.1:{server.server_port}/v1", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
