'use client'

import { useCheckoutShop } from '../../lib/checkoutShop'

/** Shows the picture of a delivered token. An IPFS picture comes from the service's own gateway. */
export function TokenPicture({ url, name, onError }: { url: string; name: string; onError: () => void }) {
  const { imageGateway } = useCheckoutShop()
  const path = /^ipfs:\/\/(?:ipfs\/)?(.+)$/.exec(url)?.[1]
  const src = path ? `${imageGateway}${path}` : url
  return <img src={src} alt={name} width={1200} height={1200} onError={onError} />
}
