import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { bytesToHex, type Hex, hexToBytes } from 'viem'

const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest()

/** How a passkey may deviate. */
export type PasskeyChange = {
  flags?: number
  /** Whether it returns the greater `s` of the two. */
  isHigh?: boolean
  clientData?: Record<string, unknown>
  clientDataJSON?: string
}

/**
 * Creates a passkey that signs as authenticators and browsers do (WebAuthn). Its bytes come from another
 * library than the service's.
 */
export const createPasskey = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const toHex = (text: string): Hex => bytesToHex(Buffer.from(text, 'base64url'))
  return {
    publicKey: { x: toHex(x), y: toHex(y) },
    approve: (message: string, change: PasskeyChange = {}) => {
      const authenticatorData = Buffer.concat([
        sha256('localhost'),
        Buffer.from([change.flags ?? 0x1d]),
        Buffer.from([0, 0, 0, 7]),
      ])
      const clientDataJSON =
        change.clientDataJSON ??
        JSON.stringify({
          type: 'webauthn.get',
          challenge: Buffer.from(hexToBytes(message as Hex)).toString('base64url'),
          origin: 'http://localhost:3000',
          crossOrigin: false,
          ...change.clientData,
        })
      const signed = Buffer.concat([authenticatorData, sha256(clientDataJSON)])
      const rs = sign('sha256', signed, { key: privateKey, dsaEncoding: 'ieee-p1363' })
      const [r, s] = [rs.subarray(0, 32), rs.subarray(32)].map((bytes) => BigInt(bytesToHex(bytes)))
      if (r === undefined || s === undefined) throw new Error('nothing was signed')
      const other = order - s
      const wanted = s < other === !change.isHigh ? s : other
      return {
        signer: 'evm-passkey:test',
        signature: { r: `0x${r.toString(16)}`, s: `0x${wanted.toString(16)}` },
        metadata: { authenticatorData: bytesToHex(authenticatorData), clientDataJSON },
      }
    },
  }
}
