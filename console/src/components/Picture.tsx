import { useState } from 'react'
import { readPicture } from '../lib/orderStatus.js'

/** Renders an `<img>` of a line item, whose name is beside it. */
export const Picture = ({ url, size }: { url: string | undefined; size?: 'small' }) => {
  const [isMissing, setMissing] = useState(false)
  const source = readPicture(url)
  if (!source || isMissing) return <span className="picture" data-size={size} />
  return (
    <img
      className="picture"
      data-size={size}
      src={source}
      alt=""
      loading="lazy"
      onError={() => setMissing(true)}
    />
  )
}
