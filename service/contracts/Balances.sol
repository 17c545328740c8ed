// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Reads the coins of many addresses at once, of one block. Never deployed: its creation is simulated.
contract Balances {
    constructor(address[] memory owners) {
        uint256[] memory balances = new uint256[](owners.length);
        for (uint256 i = 0; i < owners.length; ++i) balances[i] = owners[i].balance;
        // What creation returns would be the code of the contract: here it is the answer.
        assembly ("memory-safe") {
            return(add(balances, 0x20), mul(mload(balances), 0x20))
        }
    }
}
