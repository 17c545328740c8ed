// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Account} from "@openzeppelin/contracts/account/Account.sol";
import {ERC7821} from "@openzeppelin/contracts/account/extensions/draft-ERC7821.sol";
import {ERC4337Utils} from "@openzeppelin/contracts/account/utils/ERC4337Utils.sol";
import {Execution, ERC7579Utils} from "@openzeppelin/contracts/account/utils/draft-ERC7579Utils.sol";
import {IEntryPoint, PackedUserOperation} from "@openzeppelin/contracts/interfaces/IERC4337.sol";
import {Initializable} from "@openzeppelin/contracts/proxy/utils/Initializable.sol";
import {ERC1155Holder} from "@openzeppelin/contracts/token/ERC1155/utils/ERC1155Holder.sol";
import {ERC721Holder} from "@openzeppelin/contracts/token/ERC721/utils/ERC721Holder.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {AbstractSigner} from "@openzeppelin/contracts/utils/cryptography/signers/AbstractSigner.sol";
import {ERC7739} from "@openzeppelin/contracts/utils/cryptography/signers/draft-ERC7739.sol";
import {SignerERC7913} from "@openzeppelin/contracts/utils/cryptography/signers/SignerERC7913.sol";

interface INonceManager {
    function incrementNonce(uint192 key) external;
}

/// @title A wallet that one signer controls (ERC-4337, EntryPoint v0.8), used as a clone.
/// @notice The signer is an account of its own (20 bytes), or a verifier and a key (ERC-7913), as a passkey is.
/// Several calls are one: all of them happen, or none.
contract SmartWallet is
    Account,
    SignerERC7913,
    ERC7739,
    ERC7821,
    ERC721Holder,
    ERC1155Holder,
    Initializable
{
    /// @notice A call would have used up a nonce without an operation.
    error NonceIncrementNotAllowed();

    /// @dev The implementation itself is no wallet: there is no key for this address.
    constructor() EIP712("Kassa Smart Wallet", "1") SignerERC7913(hex"000000000000000000000000000000000000dead00") {
        _disableInitializers();
    }

    function initialize(bytes calldata signer_) external initializer {
        _setSigner(signer_);
    }

    function entryPoint() public pure override returns (IEntryPoint) {
        return ERC4337Utils.ENTRYPOINT_V08;
    }

    /// @dev Reverts for every caller, the wallet itself included, if it is called outside an operation. Only operations
    /// use nonces, so that the outcome of each is found by its event.
    function execute(bytes32 mode, bytes calldata executionData) public payable override {
        if (supportsExecutionMode(mode)) {
            Execution[] calldata calls = ERC7579Utils.decodeBatch(executionData);
            for (uint256 at = 0; at < calls.length; ++at) {
                bool isIncrement = bytes4(calls[at].callData) == INonceManager.incrementNonce.selector;
                if (isIncrement && calls[at].target == address(entryPoint())) revert NonceIncrementNotAllowed();
            }
        }
        super.execute(mode, executionData);
    }

    /// @dev Wallets of people sign messages, not hashes (EIP-191); a passkey signs the hash as its challenge.
    function _signableUserOpHash(PackedUserOperation calldata, bytes32 userOpHash)
        internal
        view
        override
        returns (bytes32)
    {
        return signer().length == 20 ? MessageHashUtils.toEthSignedMessageHash(userOpHash) : userOpHash;
    }

    /// @dev The upper 48 bits of the nonce tell until when the operation is good, in epoch seconds; 0 is for ever. What
    /// was refused, or forgotten, does not land long afterwards.
    function _validateUserOp(PackedUserOperation calldata userOp, bytes32 userOpHash, bytes calldata signature)
        internal
        override
        returns (uint256)
    {
        uint256 checked = super._validateUserOp(userOp, userOpHash, signature);
        bool isSigned = checked == ERC4337Utils.SIG_VALIDATION_SUCCESS;
        return ERC4337Utils.packValidationData(isSigned, 0, uint48(userOp.nonce >> 208));
    }

    function _erc7821AuthorizedExecutor(address caller, bytes32 mode, bytes calldata executionData)
        internal
        view
        override
        returns (bool)
    {
        return caller == address(entryPoint()) || super._erc7821AuthorizedExecutor(caller, mode, executionData);
    }

    function _rawSignatureValidation(bytes32 hash, bytes calldata signature)
        internal
        view
        override(AbstractSigner, SignerERC7913)
        returns (bool)
    {
        // An account that delegates to a contract (EIP-7702) still signs with its key.
        bytes memory signer_ = signer();
        if (signer_.length == 20 && signature.length == 65) {
            (address recovered, ECDSA.RecoverError error,) = ECDSA.tryRecoverCalldata(hash, signature);
            if (error == ECDSA.RecoverError.NoError && recovered == address(bytes20(signer_))) return true;
        }
        return SignerERC7913._rawSignatureValidation(hash, signature);
    }
}
