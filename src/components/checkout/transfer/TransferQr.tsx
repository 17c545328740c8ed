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

// Outside the part, because the React Compiler does not compile a component with a dynamic import.
const importDrawing = () => import('./drawQr.js')

type Draw = typeof import('./drawQr.js').drawQr

/** Loads what draws a code; undefined until it has loaded, or if loading fails. */
const useDrawing = (isWanted: boolean): Draw | undefined => {
  const [draw, setDraw] = useState<Draw>()
  useEffect(() => {
    if (!isWanted) return
    importDrawing().then(
      ({ drawQr }) => setDraw(() => drawQr),
      () => undefined,
    )
  }, [isWanted])
  return draw
}

/**
 * Renders a `<div>`. Shows the payment as a QR code for a wallet on another device: dark on light in every colour
 * scheme, because scanners need it. Absent while there is nothing to pay by a transfer.
 */
export function CheckoutTransferQr(props: CheckoutTransferQr.Props): ReactElement | null {
  const { transfer, request, messages, say } = useTransferPart('TransferQr')
  const uri = request?.uri
  const draw = useDrawing(uri !== undefined)
  const code = useMemo(() => (uri === undefined ? undefined : draw?.(uri)), [draw, uri])
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
