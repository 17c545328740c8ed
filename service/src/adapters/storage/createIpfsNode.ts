import { unescape as decode } from 'node:querystring'

/** A node of the IPFS network that pins files. */
export type IpfsNode = {
  /** Adds and pins the bytes, and returns the identifier that the node gives them. */
  add(bytes: Uint8Array): Promise<string>
}

const timeoutMs = 60_000
const checkMs = 5_000
const options = 'cid-version=1&raw-leaves=true&chunker=size-262144&pin=true&progress=false'

/** Reads the last line of the answer. The node writes one line for each file. */
const readHash = (text: string): string => {
  const line: unknown = JSON.parse(text.trim().split('\n').at(-1) ?? '')
  if (typeof line === 'object' && line !== null && 'Hash' in line && typeof line.Hash === 'string')
    return line.Hash
  throw new Error('the IPFS node answered without an identifier')
}

/** Returns where to send a call, and the headers to send. Error messages contain URLs, so a password is a header. */
const openRpc = (rpcUrl: string, call: string) => {
  const url = new URL(rpcUrl)
  const { username, password } = url
  const name = `${decode(username)}:${decode(password)}`
  return {
    target: `${url.origin}${url.pathname.replace(/(?<!\/)\/+$/, '')}/api/v0/${call}`,
    headers: username ? { authorization: `Basic ${Buffer.from(name).toString('base64')}` } : undefined,
  }
}

/** Whether the node answers, and accepts the name and the password. */
export const checkIpfsNode = async (rpcUrl: string): Promise<boolean> => {
  const { target, headers } = openRpc(rpcUrl, 'version')
  const signal = AbortSignal.timeout(checkMs)
  const answer = await fetch(target, {
    method: 'POST',
    redirect: 'error',
    signal,
    ...(headers && { headers }),
  })
  return answer.ok
}

/** Opens a Kubo node by the URL of its RPC. */
export const createIpfsNode = (rpcUrl: string): IpfsNode => {
  const { target, headers } = openRpc(rpcUrl, `add?${options}`)
  return {
    add: async (bytes) => {
      const body = new FormData()
      body.set('file', new Blob([Uint8Array.from(bytes)]), 'file')
      const answer = await fetch(target, {
        method: 'POST',
        body,
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
        ...(headers && { headers }),
      })
      if (!answer.ok) throw new Error(`the IPFS node answered ${answer.status}`)
      return readHash(await answer.text())
    },
  }
}
