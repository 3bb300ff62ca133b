import { type ErrorCode, type ErrorData, WasmhookError } from "../errors.js";

/** An error in a form that survives a message between threads, where a class would lose its fields. */
export interface PortableError {
  code: ErrorCode;
  message: string;
  data: ErrorData[ErrorCode];
}

export function toPortable({ code, message, data }: WasmhookError): PortableError {
  return { code, message, data };
}

export function fromPortable({ code, message, data }: PortableError): WasmhookError {
  return new WasmhookError(code, message, data);
}
