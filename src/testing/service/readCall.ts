import type { ServiceCall } from './identify.js'

/** Takes a `fetch` apart into the call that it makes of the service. */
export const readCall = async (
  baseUrl: string,
  input: string | URL | Request,
  init: RequestInit = {},
): Promise<ServiceCall> => {
  const request = typeof input === 'string' || input instanceof URL ? undefined : input
  const url = new URL(request ? request.url : String(input))
  if (!url.href.startsWith(`${baseUrl}/`)) {
    throw new TypeError(`The test service is at ${baseUrl}, and was asked for ${url.href}`)
  }
  const headers = new Map<string, string>()
  new Headers(init.headers ?? request?.headers).forEach((value, name) => {
    headers.set(name.toLowerCase(), value)
  })
  const text = init.body == null ? ((await request?.text()) ?? '') : await new Response(init.body).text()
  return {
    method: (init.method ?? request?.method ?? 'GET').toUpperCase(),
    path: url.href.slice(baseUrl.length).replace(/[?#].*/s, ''),
    query: url.searchParams,
    headers,
    text,
  }
}
