const toDataUrl = (svg: string): string => `data:image/svg+xml,${encodeURIComponent(svg)}`

const frame = (defs: string, body: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 240"><defs>${defs}</defs>${body}</svg>`

const gradient = (id: string, from: string, to: string): string =>
  `<linearGradient id="${id}" x1="0" y1="0" x2="1" y2="1"><stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient>`

const petals = Array.from({ length: 12 }, (_, index) => {
  const opacity = 0.35 + (index % 3) * 0.2
  return `<ellipse cx="120" cy="70" rx="22" ry="54" fill="url(#petal)" opacity="${opacity}" transform="rotate(${index * 30} 120 120)"/>`
}).join('')

const waves = Array.from({ length: 6 }, (_, index) => {
  const y = 96 + index * 24
  return `<path d="M0 ${y}q30-22 60 0t60 0 60 0 60 0V240H0z" fill="#0b3954" opacity="${0.16 + index * 0.1}"/>`
}).join('')

const hills = [
  '<path d="M0 176 70 96l52 60 40-44 78 78v50H0z" fill="#3d405b" opacity=".85"/>',
  '<path d="M0 204 60 158l64 46 56-34 60 40v26H0z" fill="#2b2d42"/>',
].join('')

/** Inline pictures of the goods, so that nothing is fetched. */
export const pictures = {
  bloom: toDataUrl(
    frame(
      gradient('ground', '#fff1e6', '#f8c9b8') + gradient('petal', '#ef476f', '#7b2d8b'),
      `<rect width="240" height="240" fill="url(#ground)"/>${petals}<circle cx="120" cy="120" r="18" fill="#ffd166"/>`,
    ),
  ),
  tide: toDataUrl(
    frame(
      gradient('sky', '#bde0fe', '#f7d6bf'),
      `<rect width="240" height="240" fill="url(#sky)"/><circle cx="168" cy="70" r="30" fill="#ff7d00" opacity=".9"/>${waves}`,
    ),
  ),
  ridge: toDataUrl(
    frame(
      gradient('dusk', '#81b29a', '#f2cc8f'),
      `<rect width="240" height="240" fill="url(#dusk)"/><circle cx="74" cy="66" r="24" fill="#fff" opacity=".85"/>${hills}`,
    ),
  ),
}
