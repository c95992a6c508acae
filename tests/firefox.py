"""Firefox by its own remote protocol, Marionette, for which no driver needs to be installed."""

import json
import shutil
import socket
import subprocess
import time
from contextlib import closing, contextmanager

FIREFOXES = ("firefox-esr", "firefox")
PORT_FILE = "MarionetteActivePort"
PREFERENCES = {
    "marionette.port": 0,  # a free one, which Firefox writes to a file
    "browser.startup.homepage": "about:blank",
    "browser.aboutwelcome.enabled": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "toolkit.telemetry.reportingpolicy.firstRun": False,
    "app.update.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,",
}
START_S = 60
ANSWER_S = 60


def installed():
    """Return the path of Firefox, or None."""
    return next(filter(None, map(shutil.which, FIREFOXES)), None)


class Firefox:
    """A browser with one tab."""

    def __init__(self, port):
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=ANSWER_S)
        self._received = b""
        self._sent = 0
        self._read()  # a greeting
        self.ask("WebDriver:NewSession", {"strictFileInteractability": False})
        self.open("about:blank")  # no script runs in the first page

    def _read(self):
        """Return the next message: its length in digits, a colon, and JSON."""
        while b":" not in self._received:
            self._receive()
        length, _, rest = self._received.partition(b":")
        while len(rest) < int(length):
            self._receive()
            rest = self._received.partition(b":")[2]
        self._received = rest[int(length) :]
        return json.loads(rest[: int(length)])

    def _receive(self):
        part = self._socket.recv(1 << 16)
        assert part, "Firefox has ended"
        self._received += part

    def ask(self, command, parameters):
        """Send a command, and return its answer's value."""
        self._sent += 1
        text = json.dumps([0, self._sent, command, parameters]).encode()
        self._socket.sendall(b"%d:%s" % (len(text), text))
        _, number, error, answer = self._read()
        assert number == self._sent
        assert error is None, error
        return answer.get("value", answer) if isinstance(answer, dict) else answer

    def close(self):
        """Leave the browser."""
        self._socket.close()

    def open(self, address):
        """Open an address."""
        self.ask("WebDriver:Navigate", {"url": address})

    def enter_frame(self):
        """Go into the first frame of the page, where all that follows happens."""
        self.ask("WebDriver:SwitchToFrame", {"element": self._found("iframe")})

    def run(self, script, *arguments):
        """Run a script's body among the page's own scripts, and return its value.

        The page's policy must allow it (`unsafe-eval`).
        """
        source = (
            f"JSON.stringify((function () {{ {script} }}).apply(null, {json.dumps(arguments)}))"
        )
        asked = {"script": "return window.eval(arguments[0])", "args": [source]}
        value = self.ask("WebDriver:ExecuteScript", asked)
        return None if value is None else json.loads(value)

    def wait(self, condition, *arguments):
        """Wait for a condition in JavaScript."""
        end = time.monotonic() + ANSWER_S
        while not self.run(f"return Boolean({condition})", *arguments):
            assert time.monotonic() < end, f"not true: {condition}"
            time.sleep(0.02)

    def call(self, script, argument=None):
        """Run the body of an asynchronous function with `argument`, and return its value."""
        keep = (
            "(value) => (window.end = { value }), (error) => (window.end = { error: `${error}` })"
        )
        asked = f"const [argument] = arguments; (async () => {{ {script} }})().then({keep});"
        self.run(f"window.end = null; {asked}", argument)
        self.wait("window.end")
        end = self.run("return window.end")
        assert "error" not in end, end["error"]
        return end.get("value")

    def type(self, text):
        """Type a text, in which a line's end is Enter."""
        keys = [("\ue007" if key == "\n" else key) for key in text]
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        keyboard = {"type": "key", "id": "keyboard", "actions": actions}
        self.ask("WebDriver:PerformActions", {"actions": [keyboard]})

    def click(self, selector):
        """Click an element."""
        self.ask("WebDriver:ElementClick", {"id": self._found(selector)})

    def has(self, selector):
        """Wait for an element, with no script."""
        self.ask("WebDriver:SetTimeouts", {"implicit": ANSWER_S * 1000})
        return bool(self._found(selector))

    def _found(self, selector):
        """Return the reference of an element."""
        wanted = {"using": "css selector", "value": selector}
        (element,) = self.ask("WebDriver:FindElement", wanted).values()
        return element

    def text(self, selector):
        """Return the text of an element."""
        return self.run("return document.querySelector(arguments[0]).innerText", selector)


@contextmanager
def started(folder):
    """Start Firefox with a new profile in a folder, and end it."""
    profile = folder / "profile"
    profile.mkdir()
    lines = [f"user_pref({json.dumps(k)}, {json.dumps(v)});" for k, v in PREFERENCES.items()]
    profile.joinpath("user.js").write_text("\n".join(lines), encoding="utf-8")
    command = [installed(), "--headless", "--marionette", "--no-remote", "--profile", str(profile)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            with closing(Firefox(_port_of(profile / PORT_FILE, process))) as browser:
                yield browser
        finally:
            process.kill()


def _port_of(path, process):
    """Return the port that Firefox writes to a file when it listens."""
    end = time.monotonic() + START_S
    while not (path.exists() and path.read_text()):
        assert process.poll() is None, "Firefox did not start"
        assert time.monotonic() < end, "Firefox does not listen"
        time.sleep(0.05)
    return int(path.read_text())
