import { drawIcon } from '../lib/drawIcon'

export const size = { width: 180, height: 180 }
export const contentType = 'image/png'

/** The icon on a phone's home screen. */
export default function AppleIcon() {
  return drawIcon(size.width)
}
