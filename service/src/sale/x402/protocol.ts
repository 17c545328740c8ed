import { clip } from 'kassa/engine'
import * as z from 'zod/mini'
import { ServiceError } from '#base/errors.js'
import { parseInput } from '#base/lib/parseInput.js'

/** The headers of x402 v2. */
export const x402Headers = {
  required: 'PAYMENT-REQUIRED',
  signature: 'PAYMENT-SIGNATURE',
  response: 'PAYMENT-RESPONSE',
} as const

/** The name of the extension by which clients mark a payment that they may send again. */
export const paymentIdentifier = 'payment-identifier'

/** One way to pay, as a server offers it and a client accepts it. @units `amount` is in base units of `asset` */
export type PaymentRequirements = {
  scheme: 'exact'
  /** The chain, as a CAIP-2 id. */
  network: string
  amount: string
  asset: string
  payTo: string
  maxTimeoutSeconds: number
  extra: Readonly<Record<string, unknown>>
}

/** What is sold: its URL, and a sentence about it. */
export type ResourceInfo = { url: string; description: string; mimeType: 'application/json' }

const object = z.record(z.string(), z.unknown())
const text = z.string().check(z.maxLength(1_000, 'too long'))

/** What a client sends to pay. Which fields `payload` has depends on the scheme. */
const PaymentPayload = z.looseObject({
  x402Version: z.literal(2),
  accepted: z.looseObject({
    scheme: text,
    network: text,
    asset: text,
    extra: z.optional(object),
  }),
  payload: object,
  extensions: z.optional(
    z.looseObject({
      [paymentIdentifier]: z.optional(
        z.looseObject({ info: z.optional(z.looseObject({ id: z.optional(z.unknown()) })) }),
      ),
    }),
  ),
})
/** What a client sends to pay, as it was read. */
export type PaymentPayload = z.infer<typeof PaymentPayload>

/** @units characters */
const longestHeader = 32 * 1024

const malformed = (reason: string): ServiceError => {
  const message = `${x402Headers.signature}: ${reason}`
  return new ServiceError('input-invalid', message, { detail: { reason: 'invalid_payload', message } })
}

/** Decodes a header that should be UTF-8. Some clients write Latin-1. */
const decodeText = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return Buffer.from(bytes).toString('latin1')
  }
}

/**
 * Reads the header with which a client pays.
 *
 * @throws {@link ServiceError} `input-invalid` with the reason `invalid_payload`, naming the field.
 */
export const readPaymentHeader = (header: string): PaymentPayload => {
  if (header.length > longestHeader) throw malformed(`expected at most ${longestHeader} characters`)
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(header)) throw malformed('expected JSON in base64')
  let value: unknown
  try {
    value = JSON.parse(decodeText(Buffer.from(header, 'base64')))
  } catch {
    throw malformed('expected JSON in base64')
  }
  try {
    return parseInput(PaymentPayload, value, x402Headers.signature)
  } catch (error) {
    throw error instanceof ServiceError ? malformed(error.message) : error
  }
}

/** Writes an object as the value of a header: JSON of ASCII characters alone, in base64. */
export const writeHeader = (value: object): string => {
  const ascii = JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return Buffer.from(ascii).toString('base64')
}

/**
 * Returns the identifier that a client gave its payment, if it gave one.
 *
 * @throws {@link ServiceError} `input-invalid` if the extension does not allow it.
 */
export const readPaymentIdentifier = ({ extensions }: PaymentPayload): string | undefined => {
  const id = extensions?.[paymentIdentifier]?.info?.id
  if (id === undefined) return undefined
  if (typeof id === 'string' && /^[A-Za-z0-9_-]{16,128}$/.test(id)) return id
  const rule = 'expected 16 to 128 letters, digits, hyphens and underscores'
  throw malformed(`extensions.${paymentIdentifier}.info.id: ${rule}, got ${clip(String(id))}`)
}

/** The answer of a resource that is paid by x402. */
export type X402Reply = { status: 200 | 402; headers: Readonly<Record<string, string>>; body: unknown }

const identifierExtension = {
  info: { required: false },
  schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      required: { type: 'boolean' },
      id: { type: 'string', minLength: 16, maxLength: 128, pattern: '^[A-Za-z0-9_-]+$' },
    },
    required: ['required'],
  },
}

/** Writes the answer that says what to pay. */
export const askForPayment = (
  { resource, accepts }: { resource: ResourceInfo; accepts: readonly PaymentRequirements[] },
  error: string,
): X402Reply => {
  const body = {
    x402Version: 2,
    error,
    resource,
    accepts,
    extensions: { [paymentIdentifier]: identifierExtension },
  }
  return { status: 402, headers: { [x402Headers.required]: writeHeader(body) }, body }
}

/** How a payment ended: its transaction, or why it was refused in the words of x402. */
export type SettledPayment = { network: string; payer: string } & (
  | { success: true; transaction: string; amount: string }
  | { success: false; transaction: ''; errorReason: string; errorMessage: string }
)

/** Returns the header that says how a payment ended. */
export const settlementHeader = (settled: SettledPayment): Readonly<Record<string, string>> => ({
  [x402Headers.response]: writeHeader(settled),
})
