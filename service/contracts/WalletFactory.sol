// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC4337Utils} from "@openzeppelin/contracts/account/utils/ERC4337Utils.sol";
import {PackedUserOperation} from "@openzeppelin/contracts/interfaces/IERC4337.sol";
import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {SmartWallet} from "./SmartWallet.sol";

/// @title Puts wallets at addresses known in advance.
/// @notice Every account may deploy a wallet, the EntryPoint too. The address follows from the wallet's signer and a
/// salt, so no other signer's wallet can be deployed there. Deploying it twice finds the first one.
contract WalletFactory {
    event WalletCreated(address indexed wallet, bytes signer, bytes32 salt);

    address public immutable implementation;

    constructor(address implementation_) {
        implementation = implementation_;
    }

    function create(bytes calldata signer, bytes32 salt) public returns (address wallet) {
        wallet = walletAddress(signer, salt);
        if (wallet.code.length > 0) return wallet;
        Clones.cloneDeterministic(implementation, _saltOf(signer, salt));
        SmartWallet(payable(wallet)).initialize(signer);
        emit WalletCreated(wallet, signer, salt);
    }

    /// @notice Has the EntryPoint do operations of a wallet, which is put in place first. Operations that did so
    /// themselves (initCode) would all be void as soon as one of them, or another account, had put it there.
    function createAndHandle(
        bytes calldata signer,
        bytes32 salt,
        PackedUserOperation[] calldata ops,
        address payable beneficiary
    ) external {
        create(signer, salt);
        ERC4337Utils.ENTRYPOINT_V08.handleOps(ops, beneficiary);
    }

    function walletAddress(bytes calldata signer, bytes32 salt) public view returns (address) {
        return Clones.predictDeterministicAddress(implementation, _saltOf(signer, salt));
    }

    function _saltOf(bytes calldata signer, bytes32 salt) private pure returns (bytes32) {
        return keccak256(abi.encode(signer, salt));
    }
}
