# SPDX-License-Identifier: GPL-3.0-or-later
"""Debian's Chromium without a window, told what to do by its DevTools protocol through a pipe."""

import base64
import json
import os
import shutil
import subprocess
import tempfile


class Browser:
    """One page. Its console messages and failed requests are in `messages`."""

    program = shutil.which("chromium")

    def __init__(self, width=1280, height=800, flags=()):
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        read_here, write_there = os.pipe()
        read_there, write_here = os.pipe()

        def to_3_and_4():
            a, b = os.dup(read_there), os.dup(write_there)
            os.dup2(a, 3)
            os.dup2(b, 4)

        self._process = subprocess.Popen(
            [self.program, "--headless=new", "--no-sandbox", "--use-gl=angle",
             "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-first-run",
             "--disable-dev-shm-usage", f"--user-data-dir={self._profile.name}",
             f"--window-size={width},{height}", "--remote-debugging-pipe", *flags, "about:blank"],
            close_fds=False, pass_fds=(), preexec_fn=to_3_and_4,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(read_there)
        os.close(write_there)
        self._in, self._out = os.fdopen(read_here, "rb"), os.fdopen(write_here, "wb")
        self._number, self._rest = 0, b""
        self.messages = []
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = None
        self._session = self._call("Target.attachToTarget", targetId=target,
                                   flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self._call(f"{domain}.enable")
        self._call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                   deviceScaleFactor=1, mobile=False)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.terminate()
        self._process.wait(20)
        self._in.close()
        self._out.close()
        self._profile.cleanup()

    def _receive(self):
        while b"\0" not in self._rest:
            more = os.read(self._in.fileno(), 1 << 20)
            if not more:
                raise RuntimeError("the browser has ended")
            self._rest += more
        message, self._rest = self._rest.split(b"\0", 1)
        return json.loads(message)

    def _call(self, method, **parameters):
        self._number += 1
        request = {"id": self._number, "method": method, "params": parameters}
        if getattr(self, "_session", None):
            request["sessionId"] = self._session
        self._out.write(json.dumps(request).encode() + b"\0")
        self._out.flush()
        while True:
            answer = self._receive()
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self._note(answer)

    def _note(self, event):
        what, of = event.get("method"), event.get("params", {})
        if what == "Runtime.exceptionThrown":
            details = of["exceptionDetails"]
            self.messages.append(details.get("exception", {}).get("description", details["text"]))
        elif what == "Runtime.consoleAPICalled" and of["type"] in ("error", "warning", "assert"):
            self.messages.append(str([a.get("value", a.get("description")) for a in of["args"]]))
        elif what == "Log.entryAdded" and of["entry"]["level"] in ("error", "warning"):
            self.messages.append(of["entry"]["text"])
        elif what == "Network.requestWillBeSent":
            url = of["request"]["url"]
            if not url.startswith(("file:", "about:", "blob:", "data:")):
                self.messages.append(f"asked for {url}")

    def open(self, path, fragment=""):
        """Until the page says that it is built, or 20 s."""
        self._call("Page.navigate", url="about:blank") # another fragment alone loads nothing
        self._call("Page.navigate", url=f"file://{path}{fragment}")
        return self.evaluate("""new Promise((done) => {
            const begin = performance.now();
            const look = () => window.gridhelm ? done(true)
                : performance.now() - begin > 20000 ? done(false) : setTimeout(look, 5);
            look(); })""")

    def evaluate(self, expression):
        """What a JavaScript expression is, as JSON has it; promises are waited for."""
        result = self._call("Runtime.evaluate", expression=expression, awaitPromise=True,
                            returnByValue=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description", details["text"]))
        return result["result"].get("value")

    def mouse(self, kind, x, y, button="left", buttons=1):
        self._call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, clickCount=1,
                   buttons=buttons)

    def click(self, x, y):
        self.mouse("mousePressed", x, y)
        self.mouse("mouseReleased", x, y, buttons=0)

    def key(self, name):
        for kind in ("rawKeyDown", "keyUp"):
            self._call("Input.dispatchKeyEvent", type=kind, key=name, code=name,
                       windowsVirtualKeyCode={"ArrowLeft": 37, "ArrowRight": 39}.get(name, 0))

    def settle(self, seconds=0.0):
        """Two frames later, and so many seconds."""
        self.evaluate(f"""new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(
            () => setTimeout(done, {1000 * seconds}))))""")

    def picture(self):
        """As a whole PNG file."""
        return base64.b64decode(self._call("Page.captureScreenshot", format="png")["data"])

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(self.picture())
