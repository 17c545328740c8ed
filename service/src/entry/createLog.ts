import querystring from 'node:querystring'
import { type Logger, pino, stdSerializers } from 'pino'
import { secretForms } from '#adapters/chains/solana/connection/secretForms.js'
import type { Config } from '#base/config/config.js'

const keyForms = /\b(?:(?:sk|ck)_(?:staging|production)|cs|whsec)_[A-Za-z0-9_+/=-]{16,}/g
const passwordInUrl = /(:\/\/[^\s:/@"]*):[^\s/@"]+@/g

const maxTextLength = 2_000
const maxStackLength = 8_000
const maxPathLength = 500
const maxLineLength = 16_000
/** Longer than hashes, addresses and signatures: bytecode, and the data of calls and transactions. */
const longHex = /0x([0-9a-f]{16})[0-9a-f]{184,}/gi
/** How many errors of an aggregate are written, and how many aggregates in one another. */
const maxErrors = 5
const maxAggregates = 3
/** Serializing takes time that grows with the square of their number. */
const maxCauses = 10

const redactedFields = new Set([
  'authorization',
  'cookie',
  'clientSecret',
  'credential',
  'databaseUrl',
  'databaseDirectUrl',
  'ipfsRpcUrl',
  'encryptedKey',
  'masterKey',
  'otherMasterKeys',
  'operatorKey',
  'solanaOperatorKey',
  'params',
  'password',
  'privateKey',
  'secret',
  'serializedTransaction',
  'smtp',
  'x-api-key',
])
/** How many levels of fields are searched for those. */
const redactedLevels = 3

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !(value instanceof Error)

const redactValue = (value: unknown, level: number): unknown => {
  if (!isPlain(value) || level > redactedLevels || 'toJSON' in value) return value
  if (!Array.isArray(value)) return redactFields(value, level)
  return value.map((each) => redactValue(each, Array.isArray(each) ? level + 1 : level))
}

/** Copies fields without the values of those that hold secrets. Errors are left to {@link writeError}. */
const redactFields = (fields: object, level = 1): Record<string, unknown> => {
  const copy: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) {
    copy[name] = redactedFields.has(name) ? '[redacted]' : redactValue(value, level + 1)
  }
  return copy
}

/** Shortens a line that is still too long, and keeps it JSON. Its longest texts lose the most. */
const limitLine = (line: string): string => {
  for (let max = maxTextLength; line.length > maxLineLength && max >= 60; max = Math.floor(max / 2)) {
    const shorter = JSON.stringify(JSON.parse(line), (_, value) =>
      typeof value === 'string' ? cut(value, max) : value,
    )
    if (shorter.length <= maxLineLength || max / 2 < 60) return `${shorter}\n`
  }
  return line
}

const cut = (text: string, maxLength: number): string =>
  text.length > maxLength ? `${text.slice(0, maxLength)}… (${text.length} characters)` : text

/** Returns an error that says the same, with a limited number of causes, one in the other, and no aggregated errors. */
const limitCauses = (error: Error, left = maxCauses): Error => {
  const isCaused = error.cause instanceof Error
  const isAggregate = 'errors' in error
  if (!isCaused && !isAggregate) return error
  return Object.create(error, {
    ...(isCaused && { cause: { value: left > 0 ? limitCauses(error.cause as Error, left - 1) : undefined } }),
    ...(isAggregate && { errors: { value: undefined } }),
  })
}

const causesOf = (error: Error): Error[] => {
  const causes = new Set<Error>()
  for (let cause: unknown = error; cause instanceof Error && !causes.has(cause); ) {
    causes.add(cause)
    cause = cause.cause
  }
  return [...causes]
}

/**
 * Writes an error with its plain fields, and cuts its texts to a length that a log can hold. The message of a
 * failed statement lists its parameters, which may be addresses or secrets of a buyer, so only the SQL is
 * kept.
 *
 * @param clean - Removes secrets. Texts are cleaned before they are cut, because half a secret would not be
 * recognised.
 */
const writeError = (whole: Error, clean: (text: string) => string, aggregates = 0): object => {
  const error = limitCauses(whole)
  const { params: _, query: __, stack = '', ...written } = stdSerializers.err(error)
  const causes = causesOf(error)
  const write = (text: string, maxLength: number) => {
    const withoutParams = causes.reduce(
      (hidden, { message }) => hidden.replaceAll(message, message.split('\nparams: ', 1)[0] ?? ''),
      text,
    )
    // Cleans far more than is kept, but never the whole of an endless text.
    return cut(clean(withoutParams.slice(0, 16 * maxLength)), maxLength)
  }
  const fields = Object.entries(written).flatMap(([name, value]) => {
    if (typeof value === 'string') return [[name, write(value, maxTextLength)]]
    return typeof value === 'object' || typeof value === 'function' ? [] : [[name, value]]
  })
  const listed = whole instanceof AggregateError && aggregates < maxAggregates ? whole.errors : []
  const errors = listed.filter((inner) => inner instanceof Error)
  return {
    ...redactFields(Object.fromEntries(fields)),
    stack: write(stack, maxStackLength),
    ...(errors.length && {
      aggregateErrors: errors.slice(0, maxErrors).map((inner) => writeError(inner, clean, aggregates + 1)),
    }),
  }
}

/**
 * Returns the secrets in a node's URL. Providers put their key into the URL, and a failed request prints it:
 * as it was given, as it was requested, or in the provider's own words. So the parts long enough for a key
 * are also searched one by one.
 */
const secretsOf = (rpcUrl: string): string[] => {
  const url = new URL(rpcUrl)
  url.username = ''
  url.password = ''
  const parts = `${url.pathname}${url.search}`.split(/[/?&=]/)
  return [rpcUrl, url.href, ...parts.filter((part) => part.length >= 16)]
}

/**
 * Returns the credentials of the mail server. It receives them both in the URL and separately, and may repeat
 * them.
 */
const secretsOfSmtp = (smtpUrl: string): string[] => {
  const { username, password } = new URL(smtpUrl)
  const parts = [username, password].flatMap((part) => [part, querystring.unescape(part)])
  return [smtpUrl, ...parts.filter((part) => part.length >= 6)]
}

const escapeForRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/**
 * Opens the structured log. Secrets are removed by field name, and again from every finished line by their
 * form and value, at any position in a message.
 */
export const createLog = (
  config: Pick<
    Config,
    | 'logLevel'
    | 'operatorKey'
    | 'solanaOperatorKey'
    | 'masterKey'
    | 'otherMasterKeys'
    | 'databaseUrl'
    | 'databaseDirectUrl'
    | 'chains'
    | 'ipfsRpcUrl'
    | 'rates'
    | 'smtp'
  >,
  destination: { write(line: string): unknown } = process.stdout,
): Logger => {
  const masterKeys = [config.masterKey, ...config.otherMasterKeys].map((key) => Buffer.from(key))
  const values = [config.operatorKey.slice(2), ...masterKeys.map((key) => key.toString('hex'))]
  if (config.solanaOperatorKey) values.push(...secretForms(config.solanaOperatorKey))
  for (const url of [config.databaseUrl, config.databaseDirectUrl]) if (url) values.push(url)
  const nodes = Object.values(config.chains).flatMap(({ rpcUrl, fallbackUrl, headsUrl }) => [
    rpcUrl,
    fallbackUrl,
    headsUrl,
  ])
  for (const url of nodes) if (url) values.push(...secretsOf(url))
  if (config.ipfsRpcUrl) values.push(...secretsOf(config.ipfsRpcUrl))
  if (config.rates.url) values.push(...secretsOf(config.rates.url))
  if (config.smtp) values.push(...secretsOfSmtp(config.smtp.url))
  // One search for all. The longest comes first, because one may contain another.
  const longestFirst = values.sort((one, other) => other.length - one.length)
  const secrets = new RegExp(longestFirst.map(escapeForRegExp).join('|'), 'g')
  const clean = (line: string): string =>
    line
      .replace(secrets, '[redacted]')
      .replace(keyForms, '[redacted]')
      .replace(passwordInUrl, '$1:[redacted]@')
      .replace(longHex, '0x$1…')
  return pino(
    {
      level: config.logLevel,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: {
        err: (error: Error) => writeError(error, clean),
        path: (path: string) => cut(clean(path), maxPathLength),
      },
      formatters: { log: (fields) => redactFields(fields) },
    },
    { write: (line: string) => void destination.write(limitLine(clean(line))) },
  )
}
