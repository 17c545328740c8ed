// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Makes calls one after the other, all or none of them.
/// @notice A payment of a wallet that is not deployed yet (ERC-6492) first deploys it. The calls are chosen by strangers,
/// so this contract has no rights, holds nothing and is trusted by no other contract: what it can do, everyone can.
contract CallSequence {
    struct Call {
        address to;
        bytes data;
    }

    function run(Call[] calldata calls) external {
        for (uint256 at = 0; at < calls.length; ++at) {
            (bool isDone, bytes memory answer) = calls[at].to.call(calls[at].data);
            if (isDone) continue;
            assembly ("memory-safe") {
                revert(add(answer, 0x20), mload(answer))
            }
        }
    }
}
