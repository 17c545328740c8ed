import * as z from 'zod/mini'

/** The address of an account or contract on an EVM chain, in any case. */
export const evmAddress = z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/, 'expected an EVM address'))

/** A number of 256 bits, as `0x` and hex digits or as a decimal integer. */
export const scalar = z
  .string()
  .check(z.regex(/^(0x[0-9a-fA-F]{1,64}|\d{1,78})$/, 'expected a number of 256 bits, decimal or hex'))
