"""A grader without a browser: speaks to the server as the desk's page does, over HTTP and its websocket.

The messages of the websocket are Streamlit's own, from modules that Streamlit does not promise to keep.
"""

import asyncio
import json
import time
import uuid
from urllib.parse import urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import connect

IDLE_SECONDS = 3  # The server closes connections that have been idle for five.


class Connection:
    """One HTTP connection, kept while it is in use and opened anew after a pause, as browsers do."""

    def __init__(self, url, session):
        self.host = urlsplit(url).netloc
        self.cookie = f"grader_app_session={session}"
        self.streams = None
        self.last_used = 0.0

    async def post(self, path, body, csrf_token):
        if self.streams is None or time.perf_counter() - self.last_used > IDLE_SECONDS:
            self.close()
            name, port = self.host.split(":")
            self.streams = await asyncio.open_connection(name, int(port))
        reader, writer = self.streams
        sent = json.dumps(body).encode()
        head = (
            f"POST {path} HTTP/1.1\r\nHost: {self.host}\r\nCookie: {self.cookie}\r\n"
            f"X-CSRF-Token: {csrf_token}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(sent)}\r\n\r\n"
        )
        writer.write(head.encode() + sent)
        lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        length = next(int(line.split(":")[1]) for line in lines if line.lower().startswith("content-length"))
        answer = await reader.readexactly(length)
        self.last_used = time.perf_counter()
        if " 200 " not in f"{lines[0]} ":
            raise RuntimeError(f"{path}: {lines[0]} {answer.decode()}")
        return answer

    def close(self):
        if self.streams:
            self.streams[1].close()
            self.streams = None


class Grader:
    """A signed-in grader with the grade page open."""

    def __init__(self, url, session, query=""):
        self.url, self.query, self.http = url, query, Connection(url, session)
        self.socket = self.page = self.fragment = self.widget = self.desk = None
        self.keep = None
        """A list takes in every message from the server, where a test wants them."""

    async def open(self):
        """Open the page and wait until it is drawn."""
        address = f"ws://{self.http.host}/_stcore/stream"
        headers = {"Cookie": self.http.cookie, "Origin": self.url}
        self.socket = await connect(address, additional_headers=headers, max_size=None, compression=None)
        message = BackMsg()
        message.rerun_script.page_name = "grade"
        message.rerun_script.query_string = self.query
        await self._run(message)

    async def save(self):
        """Submit a grade and wait for the next answer; give the seconds it took."""
        before = self.desk
        started = time.perf_counter()
        body = {"assignment": before["assignment"], "token": str(uuid.uuid4()), "entry": self._entry()}
        await self.http.post("/desk/submit", body | {"note": "", "seconds": 180.0}, before["csrf_token"])
        message = BackMsg()
        rerun = message.rerun_script
        rerun.page_script_hash, rerun.fragment_id = self.page, self.fragment
        event = {"event": "next", "value": f"submitted:{uuid.uuid4()}"}
        rerun.widget_states.widgets.add(id=self.widget, json_trigger_value=json.dumps([event]))
        await self._run(message)
        took = time.perf_counter() - started
        if self.desk["assignment"] == before["assignment"]:
            raise RuntimeError("no other answer came")
        return took

    async def keep_draft(self):
        """Keep what is entered so far, as the desk does while its grader thinks."""
        draft = self._entry() | {"note": "Half a thought", "reason": "", "seconds": 90.0, "correcting": False}
        body = {"assignment": self.desk["assignment"], "draft": draft}
        await self.http.post("/desk/draft", body, self.desk["csrf_token"])

    async def close(self):
        self.http.close()
        if self.socket:
            await self.socket.close()

    def _entry(self):
        points = [point["id"] for issue in self.desk["issues"] for point in issue["points"]]
        return {"score": 4, "marks": {}, "points": points[:4], "error_types": [], "analysis_gaps": []}

    async def _run(self, message):
        """Ask for a run of the page and take in what comes until it is finished."""
        message.rerun_script.context_info.url = f"{self.url}/grade"
        message.rerun_script.context_info.timezone = "UTC"
        await self.socket.send(message.SerializeToString())
        asked = False
        while True:
            told = ForwardMsg()
            told.ParseFromString(await self.socket.recv())
            if self.keep is not None:
                self.keep.append(told)
            kind = told.WhichOneof("type")
            if kind == "new_session":
                asked = True
                self.page = told.new_session.page_script_hash or self.page
            elif kind == "navigation":
                self.page = told.navigation.page_script_hash
            elif kind == "delta":
                self._take(told)
            elif kind == "script_finished" and asked:
                return

    def _take(self, told):
        element = told.delta.new_element
        if element.WhichOneof("type") == "bidi_component":
            component = element.bidi_component
            if component.component_name == "grading_desk":
                self.desk = json.loads(component.json)
                self.fragment = told.delta.fragment_id
                self.widget = f"$$STREAMLIT_INTERNAL_KEY_{component.id}__events"
