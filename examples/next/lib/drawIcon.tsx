import { ImageResponse } from 'next/og'

/**
 * Draws the shop's icon as a PNG, for what does not read `icon.svg`.
 *
 * @param size - Of each side, in pixels.
 */
export const drawIcon = (size: number): ImageResponse =>
  new ImageResponse(
    // Without round corners: phones cut their own.
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" fill="#2436c2" />
      <path d="M9 6h10l4 4v16H9z" fill="#fff" />
      <path d="M19 6v4h4z" fill="#a8b3ff" />
    </svg>,
    { width: size, height: size },
  )
