import { answers, Family, LOG, NOTHING } from "../hostile.js";

const answer = (result: string, address: string, length: string) =>
  answers(`(call $answer (i32.const ${result}) (i32.const ${address}) (i32.const ${length}))`);
/** The answer's own address. */
const at = (address: string) => answers(`(i32.const ${address})`);
const log = (level: string, address: string, length: string) =>
  answers(`(call $log (i32.const ${level}) (i32.const ${address}) (i32.const ${length})) ${NOTHING}`, {
    imports: LOG,
  });

/** Addresses, lengths and cases that are none. */
export const pointers = new Family("pointers")
  .fails("bad-output", {
    "an answer whose text is beyond the memory": answer("0", "0xfffffff0", "4"),
    "an answer whose text ends a byte beyond the memory": answer("0", "65530", "7"),
    "an answer whose text wraps around the end of the address space": answer("0", "0xfffffff0", "0x20"),
    "an answer of 2 GiB": answer("0", "0", "0x80000000"),
    "an answer of 4 GiB less a byte": answer("0", "0", "0xffffffff"),
    "an answer of nothing at an address beyond the memory": answer("0", "65537", "0"),
    "an error whose text is beyond the memory": answer("1", "-1", "4"),
    "an answer that is neither ok nor an error": answer("2", "1024", "0"),
    "an answer of the case 255": answer("255", "1024", "0"),
    "the answer itself at an address beyond the memory": at("0xfffffff0"),
    "the answer itself at the last byte of the memory": at("65535"),
    "the answer itself across the end of the memory": at("65528"),
    "the answer itself at the end of the memory": at("65536"),
    "the answer itself at an address that is not aligned": at("17"),
    "the answer itself at an odd address, half of it a valid one": at("18"),
    "a log line of an unknown level": log("4", "0", "0"),
    "a log line of a negative level": log("-1", "0", "0"),
    "a log line beyond the memory": log("0", "-8", "16"),
    "a log line of 4 GiB less a byte": log("0", "0", "0xffffffff"),
    "a log line that wraps around the end of the address space": log("0", "0xfffffff0", "0x20"),
    "a log line that ends a byte beyond the memory": log("0", "65535", "2"),
  })
  .survives({
    "an answer that is the last byte of the memory": {
      guest: answers(
        "(i32.store8 (i32.const 65535) (i32.const 32)) (call $answer (i32.const 0) (i32.const 65535) (i32.const 1))",
      ),
    },
    "an answer of nothing at the very end of the memory": answer("0", "65536", "0"),
    "the answer itself in the last twelve bytes of the memory": at("65524"),
    "a case of which only the lowest byte is one": {
      guest: answers("(call $answer (i32.const 0xffffff00) (i32.const 0) (i32.const 0))"),
    },
  });
