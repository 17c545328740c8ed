// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";

/// @dev The part of Permit2 that moves a token by its owner's signature.
interface IPermit2 {
    struct TokenPermissions {
        address token;
        uint256 amount;
    }

    struct PermitTransferFrom {
        TokenPermissions permitted;
        uint256 nonce;
        uint256 deadline;
    }

    struct SignatureTransferDetails {
        address to;
        uint256 requestedAmount;
    }

    function permitWitnessTransferFrom(
        PermitTransferFrom calldata permit,
        SignatureTransferDetails calldata transferDetails,
        address owner,
        bytes32 witness,
        string calldata witnessTypeString,
        bytes calldata signature
    ) external;
}

/// @title Takes payments that their payers signed for Permit2, and sends each to the recipient that its payer signed.
/// @notice Permit2 alone lets its spender choose the recipient. Here it is part of what is signed, so every account may
/// bring a payment, and none can send it elsewhere or take less or more. The contract holds nothing and has no owner.
contract PermitSpender {
    /// @dev As signed by the payer. The end of its time is Permit2's deadline.
    struct Witness {
        address to;
        uint256 validAfter;
    }

    /// @dev A permit of ERC-2612, by which the payer lets Permit2 move the token.
    struct Approval {
        uint256 value;
        uint256 deadline;
        uint8 v;
        bytes32 r;
        bytes32 s;
    }

    /// @dev At the same address on every chain.
    IPermit2 private constant PERMIT2 = IPermit2(0x000000000022D473030F116dDEE9F6B43aC78BA3);
    bytes32 private constant WITNESS_TYPEHASH = keccak256("Witness(address to,uint256 validAfter)");
    string private constant WITNESS_TYPE =
        "Witness witness)TokenPermissions(address token,uint256 amount)Witness(address to,uint256 validAfter)";

    event Paid(address indexed payer, uint256 indexed nonce, address indexed to, address token, uint256 amount);

    error TooEarly(uint256 validAfter);

    /// @notice Makes a payment whose payer has let Permit2 move the token before.
    function pay(
        IPermit2.PermitTransferFrom calldata permit,
        address payer,
        Witness calldata witness,
        bytes calldata signature
    ) public {
        if (block.timestamp < witness.validAfter) revert TooEarly(witness.validAfter);
        address token = permit.permitted.token;
        uint256 amount = permit.permitted.amount;
        PERMIT2.permitWitnessTransferFrom(
            permit,
            IPermit2.SignatureTransferDetails({to: witness.to, requestedAmount: amount}),
            payer,
            keccak256(abi.encode(WITNESS_TYPEHASH, witness.to, witness.validAfter)),
            WITNESS_TYPE,
            signature
        );
        emit Paid(payer, permit.nonce, witness.to, token, amount);
    }

    /// @notice Lets Permit2 move the token by the payer's permit, and makes the payment.
    /// @dev Anyone may have brought the permit before. Then the allowance that it gave is there, and decides.
    function approveAndPay(
        Approval calldata approval,
        IPermit2.PermitTransferFrom calldata permit,
        address payer,
        Witness calldata witness,
        bytes calldata signature
    ) external {
        try IERC20Permit(permit.permitted.token).permit(
            payer, address(PERMIT2), approval.value, approval.deadline, approval.v, approval.r, approval.s
        ) {} catch {}
        pay(permit, payer, witness, signature);
    }
}
