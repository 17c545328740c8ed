// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

/// @title Creates collections at addresses known in advance.
/// @notice A collection's address follows from its salt and the code it is a clone of, so creating it twice finds
/// the first one. Only the owner creates collections, so no other account can take such an address.
contract CollectionFactory is Ownable {
    event CollectionCreated(bytes32 indexed salt, address indexed implementation, address collection);

    constructor(address owner) Ownable(owner) {}

    /// @param initCall The call that makes the clone a collection.
    function create(bytes32 salt, address implementation, bytes calldata initCall)
        external
        onlyOwner
        returns (address collection)
    {
        collection = Clones.cloneDeterministic(implementation, salt);
        Address.functionCall(collection, initCall);
        emit CollectionCreated(salt, implementation, collection);
    }

    function collectionAddress(bytes32 salt, address implementation) external view returns (address) {
        return Clones.predictDeterministicAddress(implementation, salt);
    }
}
