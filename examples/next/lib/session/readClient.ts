/**
 * Returns the client's address as the nearest proxy saw it, because a client can forge any earlier entry.
 * Without a proxy it is the address the server itself saw, unless the request says otherwise.
 */
export const readClient = (headers: Pick<Headers, 'get'>): string =>
  headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() ?? ''
