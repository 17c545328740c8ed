import { type Address, address, getBase58Encoder, getBase64Encoder } from '@solana/kit'
import * as z from 'zod/mini'
import type { Commitment } from './clusterParts.js'
import { invalidParams } from './rpcError.js'

const Config = z.looseObject({
  commitment: z.optional(z.enum(['processed', 'confirmed', 'finalized'])),
  encoding: z.optional(z.string()),
  dataSlice: z.optional(z.object({ offset: z.number(), length: z.number() })),
  filters: z.optional(z.array(z.looseObject({}))),
  limit: z.optional(z.number()),
  before: z.optional(z.string()),
  until: z.optional(z.string()),
  transactionDetails: z.optional(z.string()),
  skipPreflight: z.optional(z.boolean()),
  sigVerify: z.optional(z.boolean()),
  replaceRecentBlockhash: z.optional(z.boolean()),
  preflightCommitment: z.optional(z.enum(['processed', 'confirmed', 'finalized'])),
  minContextSlot: z.optional(z.number()),
  maxSupportedTransactionVersion: z.optional(z.number()),
  rewards: z.optional(z.boolean()),
  excludeNonCirculatingAccountsList: z.optional(z.boolean()),
  withContext: z.optional(z.boolean()),
  accounts: z.optional(z.looseObject({ addresses: z.array(z.string()), encoding: z.optional(z.string()) })),
})

/** The settings that most methods take as their last parameter. */
export type RpcConfig = z.infer<typeof Config>

/** Reads the settings of a call: `null` and nothing are the defaults. */
export const readConfig = (value: unknown): RpcConfig => {
  const read = z.safeParse(Config, value ?? {})
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw invalidParams(`${issue?.path.join('.')}: ${issue?.message}`)
}

/** Returns the commitment of a call, by default the surest. */
export const commitmentOf = ({ commitment }: RpcConfig): Commitment => commitment ?? 'finalized'

/** Reads a slot, or another whole number. */
export const readWhole = (value: unknown): bigint => {
  const read = z.safeParse(z.number().check(z.int(), z.nonnegative()), value)
  if (read.success) return BigInt(read.data)
  throw invalidParams(`expected a whole number, and no ${String(value)}`)
}

/** Reads an address. */
export const readAddress = (value: unknown): Address => {
  try {
    return address(String(value))
  } catch {
    throw invalidParams(`${String(value)} is no address`)
  }
}

/** Reads a list of texts, such as addresses. */
export const readList = (value: unknown): string[] => {
  const read = z.safeParse(z.array(z.string()), value)
  if (read.success) return read.data
  throw invalidParams('expected a list')
}

/** Reads bytes in base58, the default, or in base64. */
export const readBytes = (value: unknown, encoding = 'base58'): Uint8Array => {
  if (encoding !== 'base58' && encoding !== 'base64') throw invalidParams(`no encoding ${encoding}`)
  try {
    const encoder = encoding === 'base64' ? getBase64Encoder() : getBase58Encoder()
    return Uint8Array.from(encoder.encode(String(value)))
  } catch {
    throw invalidParams(`expected bytes in ${encoding}`)
  }
}
