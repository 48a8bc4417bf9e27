"""The route by which a lead takes an export home."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from grader_app.domain.panel import Role
from grader_app.errors import NotSignedIn
from grader_app.ui.current import bench
from grader_app.ui.plain_pages import refusal_page
from grader_app.ui.requests import visitor


def export_folders(exports: Path) -> list[str]:
    """List the names of finished exports, latest first; revealed copies are not among them."""
    if not exports.is_dir():
        return []
    names = [path.name for path in exports.iterdir() if (path / "manifest.json").is_file()]
    return sorted((name for name in names if not name.endswith("-revealed")), key=_stamp, reverse=True)


async def download(request: Request) -> Response:
    """Send one export as a zip file, or its report to read in the browser."""
    try:
        found = await run_in_threadpool(visitor, request)
    except NotSignedIn:
        return RedirectResponse("/sign-in", status_code=303)
    if found.must_change_password:
        return RedirectResponse("/password", status_code=303)
    if found.account.role is not Role.LEAD:
        return HTMLResponse(refusal_page("Exports belong to the panel lead."), status_code=403)
    name, what = request.path_params["name"], request.path_params["what"]
    exports = bench().folder.exports_path
    # Only names that are listed are served, so no path can lead out of the folder.
    if name not in await run_in_threadpool(export_folders, exports) or what not in ("zip", "report"):
        return HTMLResponse(refusal_page("There is no such export."), status_code=404)
    if what == "report":
        return HTMLResponse(await run_in_threadpool((exports / name / "report.html").read_text, "utf-8"))
    content = await run_in_threadpool(_zipped, exports / name)
    headers = {"content-disposition": f'attachment; filename="{name}.zip"'}
    return Response(content, media_type="application/zip", headers=headers)


ROUTES = [Route("/exports/{name}/{what}", download, methods=["GET"])]
"""The routes of this module."""


def _stamp(name: str) -> tuple[str, str]:
    found = re.search(r"\d{8}T\d{6}Z", name)
    return (found.group() if found else "", name)


def _zipped(folder: Path) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.iterdir()):
            if path.is_file():
                archive.write(path, f"{folder.name}/{path.name}")
    return held.getvalue()
