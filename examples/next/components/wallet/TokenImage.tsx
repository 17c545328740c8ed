'use client'

import { useState } from 'react'
import { TokenPicture } from '../checkout/TokenPicture'
import { Letter } from '../shop/Letter'

/** Shows a token's picture, or its first letter if the picture is missing or fails to load. */
export function TokenImage({ url, name }: { url: string | undefined; name: string }) {
  const [broken, setBroken] = useState<string>()
  // Token pictures may be hosted anywhere; the allowed schemes exclude scripts.
  if (url && url !== broken && /^(ipfs|https?|data:image\/)/i.test(url)) {
    return <TokenPicture url={url} name="" onError={() => setBroken(url)} />
  }
  return <Letter name={name} />
}
