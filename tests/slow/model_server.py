"""Serves the small model to one test run: ``python model_server.py GGUF PORT``, until stdin closes."""

import sys

import xllamacpp


def main(gguf: str, port: int) -> None:
    params = xllamacpp.CommonParams()
    params.model.path = gguf
    params.n_ctx = 8192
    params.n_parallel = 1
    params.cpuparams.n_threads = 2
    params.cpuparams_batch.n_threads = 2
    params.port = port
    server = xllamacpp.Server(params)
    sys.stdin.read()  # the parent closes it when it is done, however it ends
    del server


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
