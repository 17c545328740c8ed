/**
 * Where a browser finds a picture: `ipfs://` addresses go through a gateway, others stay as they are.
 *
 * @param gateway - Where content is served by its CID, such as `https://shop.example/ipfs/`; without one such
 * an address stays as it is too.
 */
export const resolveImageUrl = (url: string, gateway: string | undefined): string => {
  const path = /^ipfs:\/\/(?:ipfs\/)?(.+)$/.exec(url)?.[1]
  return path === undefined || gateway === undefined ? url : `${gateway.replace(/(?<!\/)\/+$/, '')}/${path}`
}
