// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC7913WebAuthnVerifier} from "@openzeppelin/contracts/utils/cryptography/verifiers/ERC7913WebAuthnVerifier.sol";

/// @title Checks what passkeys sign (WebAuthn over P-256), for every wallet that one controls.
contract PasskeyVerifier is ERC7913WebAuthnVerifier {}
