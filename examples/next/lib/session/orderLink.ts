import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { isRecord, readNumber, readText } from '../read'
import { readSessionSecret } from './sessionSecret'

const lifetimeMs = 90 * 24 * 60 * 60_000
const nonceLength = 12
const tagLength = 16

/** An order and the secret that opens it. */
type OpenedOrder = { orderId: string; clientSecret: string }

const deriveKey = (): Buffer =>
  createHash('sha256')
    .update(`order link ${readSessionSecret(process.env)}`)
    .digest()

/**
 * Encrypts what opens an order, for the link in its buyer's e-mail. Only this shop's server can read it.
 *
 * @param nowMs - The current time in epoch milliseconds. The token is valid for 90 days.
 */
export const createOrderToken = ({ orderId, clientSecret }: OpenedOrder, nowMs: number): string => {
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv('aes-256-gcm', deriveKey(), nonce, { authTagLength: tagLength })
  const content = JSON.stringify({ orderId, clientSecret, expiresAtMs: nowMs + lifetimeMs })
  const sealed = Buffer.concat([cipher.update(content, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
}

const decrypt = (token: string): unknown => {
  const bytes = Buffer.from(token, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', deriveKey(), bytes.subarray(0, nonceLength), {
    authTagLength: tagLength,
  })
  decipher.setAuthTag(bytes.subarray(nonceLength, nonceLength + tagLength))
  const text = Buffer.concat([decipher.update(bytes.subarray(nonceLength + tagLength)), decipher.final()])
  return JSON.parse(text.toString('utf8'))
}

/**
 * Reads the token of a link.
 *
 * @returns What opens the order; undefined when this shop did not write the token, or it has expired.
 */
export const readOrderToken = (token: string, nowMs: number): OpenedOrder | undefined => {
  try {
    const value = decrypt(token)
    if (!isRecord(value)) return undefined
    const [orderId, clientSecret] = [readText(value.orderId), readText(value.clientSecret)]
    const expiresAtMs = readNumber(value.expiresAtMs) ?? 0
    return orderId && clientSecret && expiresAtMs > nowMs ? { orderId, clientSecret } : undefined
  } catch {
    return undefined
  }
}
