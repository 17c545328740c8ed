import { ImageResponse } from 'next/og'
import { getOrigin, readEnvironment } from './environment'
import type { Edition } from './shop'

/** The size that all networks show whole, in pixels. */
export const cardSize = { width: 1200, height: 630 }

const maxPictureBytes = 5_000_000

/** The kinds of pictures that a card can contain. */
const drawable = /^image\/(png|jpeg|gif|svg\+xml)\b/

/** Reads an edition's picture as a data URL. A card without the picture is better than none. */
const readPicture = async ({ imageUrl }: Edition): Promise<string[]> => {
  if (!imageUrl) return []
  const { baseUrl, publicBaseUrl } = readEnvironment(process.env)
  try {
    // This server may reach the service under another address than browsers do.
    const url = imageUrl.replace(getOrigin(publicBaseUrl), getOrigin(baseUrl))
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) })
    const type = response.headers.get('content-type') ?? ''
    const bytes = Buffer.from(await response.arrayBuffer())
    if (!response.ok || !drawable.test(type) || bytes.length > maxPictureBytes) return []
    return [`data:${type};base64,${bytes.toString('base64')}`]
  } catch {
    return []
  }
}

const ink = '#17181c'
const soft = '#5a5d65'
const paper = '#fcfcfb'
const accent = '#2436c2'

function Wordmark() {
  return (
    <div style={{ display: 'flex', alignItems: 'center', gap: 14, fontSize: 36, color: ink }}>
      <svg width="38" height="38" viewBox="0 0 22 22" aria-hidden="true">
        <path d="M4 1h10l5 5v15H4z" fill={accent} />
        <path d="M14 1v5h5z" fill={paper} stroke={accent} strokeLinejoin="round" />
      </svg>
      Recto
    </div>
  )
}

/** Draws the picture that a link to a page shows elsewhere: one edition beside some words, or three above them. */
export const drawCard = async (card: {
  editions: readonly Edition[]
  title: string
  details: readonly string[]
}): Promise<ImageResponse> => {
  const pictures = (await Promise.all(card.editions.slice(0, 3).map(readPicture))).flat()
  const isRow = pictures.length > 1
  const picture = isRow
    ? { width: cardSize.width / pictures.length, height: 400 }
    : { width: cardSize.height, height: cardSize.height }
  const fill = { display: 'flex', width: '100%', height: '100%', background: paper, color: ink } as const
  return new ImageResponse(
    <div style={{ ...fill, flexDirection: isRow ? 'column' : 'row' }}>
      <div style={{ display: 'flex' }}>
        {pictures.map((src) => (
          <img key={src} src={src} alt="" {...picture} style={{ objectFit: 'cover' }} />
        ))}
      </div>
      <div
        style={{
          display: 'flex',
          flexDirection: isRow ? 'row-reverse' : 'column',
          justifyContent: 'space-between',
          alignItems: isRow ? 'center' : 'flex-start',
          flex: 1,
          padding: 56,
        }}
      >
        <Wordmark />
        <div style={{ display: 'flex', flexDirection: 'column', gap: 16, maxWidth: 860 }}>
          <div style={{ fontSize: isRow ? 52 : 64, lineHeight: 1.1, letterSpacing: '-0.02em' }}>
            {card.title}
          </div>
          {card.details.map((detail) => (
            <div key={detail} style={{ fontSize: 32, color: soft }}>
              {detail}
            </div>
          ))}
        </div>
      </div>
    </div>,
    // Crawlers ask again after an hour; the price may have changed.
    { ...cardSize, headers: { 'cache-control': 'public, max-age=3600' } },
  )
}
