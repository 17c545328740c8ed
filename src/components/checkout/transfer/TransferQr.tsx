'use client'

import { type ReactElement, useEffect, useMemo, useState } from 'react'
import { type PartProps, useRender } from '../../../internal/render.js'
import { useTransferPart } from './useTransferPart.js'

export declare namespace CheckoutTransferQr {
  /** State of {@link CheckoutTransferQr}. */
  export type State = {
    /** Whether the code is being made, so that it takes its place but shows nothing. */
    isPending: boolean
  }

  /** Props of {@link CheckoutTransferQr}. */
  export type Props = PartProps<'div', CheckoutTransferQr.State>
}

type Encode = typeof import('uqr').encode

// Outside the part, because the React Compiler does not compile a component with a dynamic import.
const importEncoder = () => import('uqr')

/** Loads the encoder; undefined until it has loaded, or if loading fails. */
const useEncoder = (isWanted: boolean): Encode | undefined => {
  const [encode, setEncode] = useState<Encode>()
  useEffect(() => {
    if (!isWanted) return
    importEncoder().then(
      (loaded) => setEncode(() => loaded.encode),
      () => undefined,
    )
  }, [isWanted])
  return encode
}

/** As many light modules around the code as the standard asks for. */
const border = 4

/** Returns the dark modules of a code as one path, a run of them at a time, and how many modules a side has. */
const draw = (encode: Encode, text: string): { path: string; size: number } => {
  const { data, size } = encode(text, { ecc: 'M', border })
  const rows = data.map((row) => row.map((isDark) => (isDark ? '1' : '0')).join(''))
  const path = rows.flatMap((row, y) =>
    [...row.matchAll(/1+/g)].map(({ 0: run, index }) => `M${index} ${y}h${run.length}v1h-${run.length}z`),
  )
  return { path: path.join(''), size }
}

/**
 * Renders a `<div>`. Shows the payment as a QR code for a wallet on another device: dark on light in every colour
 * scheme, because scanners need it. Absent while there is nothing to pay by a transfer.
 */
export function CheckoutTransferQr(props: CheckoutTransferQr.Props): ReactElement | null {
  const { transfer, request, messages, say } = useTransferPart('TransferQr')
  const uri = request?.uri
  const encode = useEncoder(uri !== undefined)
  const code = useMemo(() => (encode && uri !== undefined ? draw(encode, uri) : undefined), [encode, uri])
  const isPending = code === undefined
  const element = useRender(
    'div',
    'transfer-qr',
    props,
    { isPending },
    {
      ...(code && { role: 'img', 'aria-label': say(messages.scan) }),
      children: code && (
        <svg viewBox={`0 0 ${code.size} ${code.size}`} shapeRendering="crispEdges" aria-hidden="true">
          <rect width="100%" height="100%" fill="#fff" />
          <path d={code.path} fill="#000" />
        </svg>
      ),
    },
  )
  return request || transfer.status === 'loading' ? element : null
}
