import { build } from '../../scripts/lib/build.mjs'
import '../helpers/plainStacks.js'

/** Builds what the tests of the packages read, once for all of them. */
export default (): Promise<void> => build(['library', 'service'])
