import { expect, test } from 'vitest'
import { isPublicAddress } from '#adapters/guard/checkUrl.js'

test.each([
  '1.1.1.1',
  '93.184.215.14',
  '168.63.129.17',
  '172.32.0.1',
  '2606:4700:4700::1111',
  '2a00:1450:4001:80e::200e',
])('default, %s', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

test.each([
  ['this host', '0.0.0.0'],
  ['this network', '0.1.2.3'],
  ['loopback', '127.0.0.1'],
  ['loopback', '127.255.255.254'],
  ['private', '10.0.0.1'],
  ['private', '172.16.0.1'],
  ['private', '172.31.255.255'],
  ['private', '192.168.1.1'],
  ['carrier-grade NAT', '100.64.0.1'],
  ['link-local', '169.254.1.1'],
  ['metadata service', '169.254.169.254'],
  ['metadata service of Alibaba', '100.100.100.200'],
  ['host service of Azure', '168.63.129.16'],
  ['protocol assignments', '192.0.0.192'],
  ['documentation', '203.0.113.9'],
  ['benchmarking', '198.18.0.1'],
  ['multicast', '224.0.0.1'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['unspecified', '::'],
  ['loopback', '::1'],
  ['link-local', 'fe80::1'],
  ['link-local with a zone', 'fe80::1%eth0'],
  ['site-local', 'fec0::1'],
  ['unique local', 'fd00:ec2::254'],
  ['multicast', 'ff02::1'],
  ['IPv4-mapped', '::ffff:127.0.0.1'],
  ['IPv4-mapped, public', '::ffff:1.1.1.1'],
  ['IPv4-compatible', '::7f00:1'],
  ['NAT64', '64:ff9b::a9fe:a9fe'],
  ['NAT64 of a network', '64:ff9b:1::1'],
  ['6to4', '2002:7f00:1::1'],
  ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  ['documentation', '2001:db8::1'],
  ['documentation', '3fff::1'],
  ['unassigned', '4000::1'],
  ['no address', 'localhost'],
  ['no address', ''],
])('behavior: not public, %s %s', (_, address) => {
  expect(isPublicAddress(address)).toBe(false)
})
