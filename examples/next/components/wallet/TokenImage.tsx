'use client'

import { useState } from 'react'
import { TokenPicture } from '../checkout/TokenPicture'

/** The picture of a token; its first letter where there is none, or it does not come. */
export function TokenImage({ url, name }: { url: string | undefined; name: string }) {
  const [broken, setBroken] = useState<string>()
  // Strangers' pictures may lie anywhere; a script is none.
  if (url && url !== broken && /^(ipfs|https?|data:image\/)/i.test(url)) {
    return <TokenPicture url={url} name="" onError={() => setBroken(url)} />
  }
  return (
    <span className="heading soft" aria-hidden="true">
      {name.slice(0, 1)}
    </span>
  )
}
