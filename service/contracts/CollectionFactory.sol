// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Collection721} from "./Collection721.sol";

/// @title Creates collections at addresses known in advance.
/// @notice A collection's address follows from its salt alone, so creating it twice finds the first one.
contract CollectionFactory is Ownable {
    address public immutable implementation;

    event CollectionCreated(bytes32 indexed salt, address collection);

    constructor(address owner) Ownable(owner) {
        implementation = address(new Collection721());
    }

    function create(
        bytes32 salt,
        string calldata name,
        string calldata symbol,
        uint256 supplyLimit,
        bool transferable
    ) external onlyOwner returns (address collection) {
        collection = Clones.cloneDeterministic(implementation, salt);
        Collection721(collection).initialize(name, symbol, msg.sender, supplyLimit, transferable);
        emit CollectionCreated(salt, collection);
    }

    function collectionAddress(bytes32 salt) external view returns (address) {
        return Clones.predictDeterministicAddress(implementation, salt);
    }
}
