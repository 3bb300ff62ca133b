"""Runs generated programs on Wasmtime: the second opinion on what they compute and what it costs.

Each line of the input is a JSON object with `wasm` (base64) and `calls`, a list of `name` and `args`; each
argument is a type and, in decimal, its bits. For each line one is written with `calls` (name, outcome, results,
and the fuel of all calls so far), `log` (what the host was called with), `memory` (SHA-256) and `globals`.

Wasmtime's wheel is installed on first use, in an environment of its own. Exits with 3 where that cannot be.
"""

import base64
import hashlib
import json
import math
import os
import struct
import subprocess
import sys

VERSION = "50.0.1"
HOME = os.path.join(os.path.dirname(__file__), "..", "node_modules", ".wasmtime-" + VERSION)
FUEL = 10**9
FORMATS = {"f32": ("<f", "<i"), "f64": ("<d", "<q")}


def install():
    """Starts this script again under a Python that has the wheel."""
    python = os.path.join(HOME, "bin", "python")
    try:
        if not os.path.exists(os.path.join(HOME, "complete")):
            subprocess.run([sys.executable, "-m", "venv", HOME], check=True, stdout=sys.stderr)
            pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries", "1"]
            subprocess.run([*pip, "wasmtime==" + VERSION], check=True, stdout=sys.stderr, timeout=180)
            open(os.path.join(HOME, "complete"), "w").close()
    except (OSError, subprocess.SubprocessError) as error:
        print(f"Wasmtime's wheel cannot be installed: {error}", file=sys.stderr)
        sys.exit(3)
    os.execv(python, [python, __file__, "run"])


def to_value(kind, bits):
    if kind not in FORMATS:
        return int(bits)
    float_format, integer_format = FORMATS[kind]
    return struct.unpack(float_format, struct.pack(integer_format, int(bits)))[0]


def describe(kind, value):
    if kind not in FORMATS:
        return str(value)
    if math.isnan(value):
        return "NaN"
    float_format, integer_format = FORMATS[kind]
    return str(struct.unpack(integer_format, struct.pack(float_format, value))[0])


def answer(value):
    """What the host answers: three times the value and one more, as an i32."""
    return (value * 3 + 1 + 2**31) % 2**32 - 2**31


def run(engine, program):
    import wasmtime

    store = wasmtime.Store(engine)
    store.set_fuel(FUEL)
    log = []
    calls = []

    def host(value):
        log.append(value)
        return answer(value)

    def record(name, work):
        results = []
        try:
            results = work()
            outcome = "returned"
        except (wasmtime.Trap, wasmtime.WasmtimeError) as error:
            code = getattr(error, "trap_code", None)
            if code is not None:
                outcome = "trap: " + code.name
            else:
                outcome = "exception" if "thrown Wasm exception" in str(error) else f"error: {error}"
        fuel = FUEL - store.get_fuel()
        calls.append({"name": name, "outcome": outcome, "results": results, "fuel": fuel})
        return outcome == "returned" or (outcome == "exception" and name != "start")

    i32 = wasmtime.ValType.i32()
    linker = wasmtime.Linker(engine)
    linker.define(store, "host", "log", wasmtime.Func(store, wasmtime.FuncType([i32], [i32]), host))
    module = wasmtime.Module(engine, base64.b64decode(program["wasm"]))
    made = []
    exports = None
    is_alive = record("start", lambda: made.append(linker.instantiate(store, module)) or [])
    if made:
        exports = made[0].exports(store)
    for call in program["calls"] if is_alive else []:
        func = exports[call["name"]]
        kinds = [str(kind) for kind in func.type(store).results]

        def work():
            returned = func(store, *[to_value(kind, bits) for kind, bits in call["args"]])
            values = [returned] if len(kinds) == 1 else returned or []
            return [describe(kind, value) for kind, value in zip(kinds, values)]

        if not record(call["name"], work):
            break
    memory = b""
    found = []
    if exports is not None:
        memory = bytes(exports["memory"].read(store))
        for name in program["globals"]:
            found.append(describe(str(exports[name].type(store).content), exports[name].value(store)))
    return {"calls": calls, "log": log, "memory": hashlib.sha256(memory).hexdigest(), "globals": found}


def main():
    import wasmtime

    config = wasmtime.Config()
    config.consume_fuel = True
    config.cranelift_nan_canonicalization = True
    config.cranelift_opt_level = "none"
    config.wasm_tail_call = True
    config.wasm_exceptions = True
    engine = wasmtime.Engine(config)
    for line in sys.stdin:
        print(json.dumps(run(engine, json.loads(line))), flush=True)


if len(sys.argv) > 1 and sys.argv[1] == "run":
    main()
else:
    install()
