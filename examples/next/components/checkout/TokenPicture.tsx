'use client'

import { useClient } from 'kassa'
import { getOrigin } from '../../lib/environment'

/** The picture of a delivered token, from the service's own gateway if it lies on IPFS. */
export function TokenPicture({ url, name, onError }: { url: string; name: string; onError: () => void }) {
  const { baseUrl } = useClient()
  const path = /^ipfs:\/\/(?:ipfs\/)?(.+)$/.exec(url)?.[1]
  const src = path ? `${getOrigin(baseUrl)}/ipfs/${path}` : url
  return <img src={src} alt={name} width={1200} height={1200} onError={onError} />
}
