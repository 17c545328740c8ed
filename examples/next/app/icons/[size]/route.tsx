import { drawIcon } from '../../../lib/drawIcon'

const sizes = ['192', '512']

export const dynamicParams = false
export const generateStaticParams = () => sizes.map((size) => ({ size }))

/** The icons of the manifest. */
export const GET = async (_: Request, { params }: { params: Promise<{ size: string }> }): Promise<Response> =>
  drawIcon(Number((await params).size))
