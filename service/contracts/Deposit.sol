// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// @title One order's deposit address, used as a clone. Obeys the factory that made it.
contract Deposit {
    using SafeERC20 for IERC20;

    /// @dev Immutable, so every clone knows it without being initialised: there is no moment to seize one.
    address private immutable FACTORY = msg.sender;

    error NotFactory(address caller);

    function transfer(IERC20 token, address to, uint256 amount) external {
        if (msg.sender != FACTORY) revert NotFactory(msg.sender);
        token.safeTransfer(to, amount);
    }

    function transferCoins(address payable to, uint256 amount) external {
        if (msg.sender != FACTORY) revert NotFactory(msg.sender);
        Address.sendValue(to, amount);
    }
}
