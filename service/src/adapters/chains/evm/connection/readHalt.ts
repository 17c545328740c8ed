import { BaseError, RpcRequestError } from 'viem'

/** Errors of the EVM itself, in the words of known nodes, which share no error code. */
const halts = [
  /^EVM error:? (?!Fatal)\w+(?:\(\w+\))?$/,
  /^VM execution error/,
  /^(?:out of gas|stack underflow|stack limit reached|gas uint64 overflow|max call depth exceeded)/,
  /^invalid (?:opcode|jump destination|code: must not begin with 0xef)/,
  /^(?:write protection|return data out of bounds|contract address collision)/,
  /^(?:max (?:init)?code size exceeded|contract creation code storage out of gas)/,
  /^(?:BadInstruction|InvalidJumpDestination|OutOfGas|StackOverflow|StackUnderflow|StaticCallViolation)/,
]

/**
 * Reads why the EVM stopped a call without a revert: an unknown opcode, an invalid jump, no gas left. The
 * call is undone as by a revert, and the node that reports it has not failed.
 *
 * @returns The node's words, or `undefined` for any other error.
 */
export const readHalt = (error: unknown): string | undefined => {
  if (!(error instanceof BaseError)) return undefined
  const answer = error.walk((cause) => cause instanceof RpcRequestError)
  if (!(answer instanceof RpcRequestError)) return undefined
  return halts.some((halt) => halt.test(answer.details)) ? answer.details : undefined
}
