import type { ServiceAddress } from './Sale.js'

/** Sends the request of a generated function to the service that the options name. */
export const send = async <answer>(
  path: string,
  { address, ...init }: RequestInit & { address?: ServiceAddress },
): Promise<answer> => {
  if (!address) throw new Error('the options lack the address of the service')
  const headers = new Headers(init.headers)
  headers.set('X-API-KEY', address.serverKey)
  const response = await address.fetch(address.baseUrl + path, { ...init, headers })
  return { status: response.status, headers: response.headers, data: await response.json() } as answer
}
