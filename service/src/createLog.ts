import querystring from 'node:querystring'
import { Writable } from 'node:stream'
import { type Logger, pino, stdSerializers } from 'pino'
import type { Config } from './config.js'

const keyForms = /\b(?:(?:sk|ck)_(?:staging|production)|cs|whsec)_[A-Za-z0-9_+/=-]{16,}/g
const passwordInUrl = /(\w+:\/\/[^\s:/@"]*):[^\s/@"]+@/g

const redacted = [
  'authorization',
  'cookie',
  'clientSecret',
  'credential',
  'databaseUrl',
  'ipfsRpcUrl',
  'encryptedKey',
  'masterKey',
  'otherMasterKeys',
  'operatorKey',
  'params',
  'password',
  'privateKey',
  'secret',
  'serializedTransaction',
  'smtp',
  '["x-api-key"]',
]

/** A failed statement says what it was given, which may be anybody's address or secret: only the SQL is kept. */
const writeError = (error: Error): object => {
  const { params: _, query: __, ...written } = stdSerializers.err(error)
  const hide = (text: string) => text.replace(/\nparams: [\s\S]*?(?=\n\s+at |$)/, '')
  return { ...written, message: hide(written.message), stack: hide(written.stack ?? '') }
}

/**
 * Providers put their key into the URL, and a failed request prints it: as it was given, as it was asked for, or
 * in the provider's own words, where the parts long enough for a key are looked for one by one.
 */
const secretsOf = (rpcUrl: string): string[] => {
  const url = new URL(rpcUrl)
  url.username = ''
  url.password = ''
  const parts = `${url.pathname}${url.search}`.split(/[/?&=]/)
  return [rpcUrl, url.href, ...parts.filter((part) => part.length >= 16)]
}

/** Mail servers are told the credentials both in the URL and on their own, and may say them back. */
const secretsOfSmtp = (smtpUrl: string): string[] => {
  const { username, password } = new URL(smtpUrl)
  const parts = [username, password].flatMap((part) => [part, querystring.unescape(part)])
  return [smtpUrl, ...parts.filter((part) => part.length >= 6)]
}

/**
 * Opens the structured log. Secrets are left out by name, and once more by their form and by their value from every
 * finished line, wherever in a message they turn up.
 */
export const createLog = (
  config: Pick<
    Config,
    | 'logLevel'
    | 'operatorKey'
    | 'masterKey'
    | 'otherMasterKeys'
    | 'databaseUrl'
    | 'chains'
    | 'ipfsRpcUrl'
    | 'smtp'
  >,
  destination: { write(line: string): unknown } = process.stdout,
): Logger => {
  const masterKeys = [config.masterKey, ...config.otherMasterKeys].map((key) => Buffer.from(key))
  const values = [config.operatorKey.slice(2), ...masterKeys.map((key) => key.toString('hex'))]
  if (config.databaseUrl) values.push(config.databaseUrl)
  for (const { rpcUrl } of Object.values(config.chains)) if (rpcUrl) values.push(...secretsOf(rpcUrl))
  if (config.ipfsRpcUrl) values.push(...secretsOf(config.ipfsRpcUrl))
  if (config.smtp) values.push(...secretsOfSmtp(config.smtp.url))
  const clean = (line: string): string =>
    values
      .reduce((text, value) => text.replaceAll(value, '[redacted]'), line)
      .replace(keyForms, '[redacted]')
      .replace(passwordInUrl, '$1:[redacted]@')
  return pino(
    {
      level: config.logLevel,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: writeError },
      redact: {
        paths: redacted.flatMap((name) => {
          const dot = name.startsWith('[') ? '' : '.'
          return [name, `*${dot}${name}`, `*.*${dot}${name}`]
        }),
        censor: '[redacted]',
      },
    },
    new Writable({
      decodeStrings: false,
      write: (line: string, _, done) => {
        destination.write(clean(line))
        done()
      },
    }),
  )
}
