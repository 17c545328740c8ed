/**
 * Resolves a picture's address for a browser: `ipfs://` addresses go through a gateway, others stay as they
 * are.
 *
 * @param gateway - Serves content by its CID, such as `https://shop.example/ipfs/`. Without one, `ipfs://`
 * addresses stay as they are too.
 */
export const resolveImageUrl = (url: string, gateway: string | undefined): string => {
  const path = /^ipfs:\/\/(?:ipfs\/)?(.+)$/.exec(url)?.[1]
  return path === undefined || gateway === undefined ? url : `${gateway.replace(/(?<!\/)\/+$/, '')}/${path}`
}
