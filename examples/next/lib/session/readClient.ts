/**
 * Who asks, as the proxy nearest to this server saw it: what a request says of itself before that anybody can write.
 * Without a proxy it is what the server itself saw, unless the request says otherwise.
 */
export const readClient = (headers: Pick<Headers, 'get'>): string =>
  headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() ?? ''
