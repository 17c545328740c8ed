'use client'

import { useCheckoutShop } from '../../lib/checkoutShop'

/** The picture of a delivered token, from the service's own gateway if it lies on IPFS. */
export function TokenPicture({ url, name, onError }: { url: string; name: string; onError: () => void }) {
  const { imageGateway } = useCheckoutShop()
  const path = /^ipfs:\/\/(?:ipfs\/)?(.+)$/.exec(url)?.[1]
  const src = path ? `${imageGateway}${path}` : url
  return <img src={src} alt={name} width={1200} height={1200} onError={onError} />
}
